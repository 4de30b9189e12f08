/** Reads the YAML of a single value, as `set` steps and list or map inputs write it: dates become ISO text. */
import { Either } from "effect"
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  Parser,
  Scalar,
  type Document,
  type Node,
  type YAMLMap,
  type YAMLSeq
} from "yaml"
import { Float, float, isList, isMap as isMapValue, type Value } from "../domain/Value.ts"
import { MAX_DEPTH, tokenBelow } from "./yaml/Depth.ts"
import { plainScalar, YamlDate } from "./yaml/PlainScalar.ts"

/** `not-yaml`: the text is no YAML document of one value; `key`: it is, with a key that is not a string. */
export interface YamlValueFault {
  readonly kind: "not-yaml" | "key"
  readonly reason: string
}

type Converted = Either.Either<Value, YamlValueFault>

const core = "tag:yaml.org,2002:"
/** More would come from aliases that multiply. */
const mostNodes = 100_000

const notYaml = (reason: string): Either.Either<never, YamlValueFault> => Either.left({ kind: "not-yaml", reason })

export const parseYamlValue = (text: string): Converted => {
  const tokens = [...new Parser().parse(text)]
  if (tokenBelow(tokens, MAX_DEPTH) !== undefined) return notYaml("nested too deeply")
  const documents = [...new Composer({ schema: "failsafe", uniqueKeys: false, prettyErrors: false }).compose(tokens)]
  const [document, second] = documents
  if (document === undefined) return Either.right(null)
  const error = document.errors[0]
  if (error !== undefined) return notYaml(error.message)
  if (second !== undefined) return notYaml("more than one document")
  return new Converter(document).convert(document.contents)
}

class Converter {
  #nodes = 0
  readonly #open = new Set<Node>()

  constructor(readonly document: Document.Parsed) {}

  convert(node: Node | null | undefined): Converted {
    this.#nodes += 1
    if (this.#nodes > mostNodes) return notYaml("aliases expand it too far")
    if (node === null || node === undefined) return Either.right(null)
    if (isAlias(node)) return this.#alias(node.resolve(this.document))
    if (isScalar(node)) return scalarValue(node)
    if (this.#open.has(node)) return notYaml("a value contains itself")
    this.#open.add(node)
    const value = isMap(node) ? this.#map(node) : this.#list(node as YAMLSeq<Node | null>)
    this.#open.delete(node)
    return value
  }

  #alias(target: Node | undefined): Converted {
    return target === undefined ? notYaml("an alias without its anchor") : this.convert(target)
  }

  #list(node: YAMLSeq<Node | null>): Converted {
    if (node.tag !== undefined && node.tag !== `${core}seq`) return notYaml(`unknown tag ${node.tag}`)
    return Either.all(node.items.map((item) => this.convert(item)))
  }

  #map(node: YAMLMap): Converted {
    if (node.tag !== undefined && node.tag !== `${core}map`) return notYaml(`unknown tag ${node.tag}`)
    const own = new Map<string, Value>()
    const merged = new Map<string, Value>()
    for (const { key: keyNode, value: valueNode } of node.items as ReadonlyArray<{
      key: Node | null
      value: Node | null
    }>) {
      const value = this.convert(valueNode)
      if (Either.isLeft(value)) return value
      if (isScalar(keyNode) && keyNode.type === Scalar.PLAIN && keyNode.source === "<<") {
        if (!merge(merged, value.right)) return notYaml("a merge key needs a map or a list of maps")
        continue
      }
      const key = this.convert(keyNode)
      if (Either.isLeft(key)) return key
      // A map cannot be a key at all; other keys are keys, only not of the kind that a value can have.
      if (hasMap(key.right)) return notYaml("a map cannot be a key")
      if (typeof key.right !== "string" || isDate(keyNode)) {
        return Either.left({ kind: "key", reason: `the key ${shown(keyNode)} is not a string; put it in quotes` })
      }
      if (own.has(key.right)) return notYaml(`the key '${key.right}' is there twice`)
      own.set(key.right, value.right)
    }
    return Either.right(Object.fromEntries([...[...merged].filter(([key]) => !own.has(key)), ...own]))
  }
}

/** Earlier sources win. */
const merge = (into: Map<string, Value>, source: Value): boolean => {
  for (const one of isList(source) ? source : [source]) {
    if (!isMapValue(one)) return false
    for (const [key, value] of Object.entries(one)) if (!into.has(key)) into.set(key, value)
  }
  return true
}

const hasMap = (value: Value): boolean => isMapValue(value) || (isList(value) && value.some(hasMap))

const shown = (node: Node | null): string =>
  isScalar(node) ? `'${String(node.source ?? node.value ?? "")}'` : "that is a list or a map"

const isDate = (node: Node | null): boolean =>
  isScalar(node) && node.type === Scalar.PLAIN && plainScalar(node.source ?? "") instanceof YamlDate

const scalarValue = (node: Scalar): Converted => {
  const source = node.source ?? String(node.value ?? "")
  if (node.tag === undefined || node.tag === "!") {
    return Either.right(node.type === Scalar.PLAIN && node.tag === undefined ? plainValue(source) : source)
  }
  if (node.tag === `${core}str`) return Either.right(source)
  const value = plainValue(source)
  const fits = taggedValue(node.tag, value)
  return fits === undefined ? notYaml(`'${source}' does not fit the tag ${node.tag}`) : Either.right(fits)
}

const taggedValue = (tag: string, value: Value): Value | undefined => {
  switch (tag) {
    case `${core}null`:
      return value === null ? value : undefined
    case `${core}bool`:
      return typeof value === "boolean" ? value : undefined
    case `${core}int`:
      return typeof value === "bigint" || Number.isInteger(value) ? value : undefined
    case `${core}float`:
      return typeof value === "number" || typeof value === "bigint"
        ? float(Number(value))
        : value instanceof Float
          ? value
          : undefined
    case `${core}timestamp`:
      return typeof value === "string" && /^\d{4}-/.test(value) ? value : undefined
    default:
      return undefined
  }
}

const plainValue = (source: string): Value => {
  const value = plainScalar(source)
  return value instanceof YamlDate ? isoDate(value.text) : value
}

const stamp =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?)?$/

const two = (digits: string | undefined): string => (digits ?? "0").padStart(2, "0")

/** Microseconds are kept, further digits are rounded to them. */
const fraction = (digits: string | undefined): string => {
  const microseconds = Math.min(999_999, Math.round(Number(`0.${digits ?? "0"}`) * 1e6))
  return microseconds === 0 ? "" : `.${String(microseconds).padStart(6, "0")}`
}

const isoDate = (source: string): string => {
  const [, year, month, day, hour, minute, second, digits, zone, sign, zoneHour, zoneMinute] = stamp.exec(source) ?? []
  const date = `${year ?? ""}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const offset = zone === undefined ? "" : `${sign ?? "+"}${two(zoneHour)}:${two(zoneMinute)}`
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${fraction(digits)}${offset}`
}
