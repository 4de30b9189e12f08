/**
 * Reads the YAML of a single value, as `set` steps and list or map inputs write it: dates become ISO text. Apart from
 * `ConvertDocument`, because such text has no positions to report and may be anything, also no YAML at all.
 */
import { Either } from "effect"
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap
} from "yaml"
import { isList, isMap as isMapValue, type Value } from "../../domain/Value.ts"
import { composeYaml } from "./ComposeYaml.ts"
import { isoDate } from "./IsoDate.ts"
import { MAX_DEPTH } from "./Limits.ts"
import { YamlDate } from "./PlainScalar.ts"
import { CORE, isMergeKey, readScalar, scalarSource } from "./ReadScalar.ts"

/** `not-yaml`: the text is no YAML document of one value; `key`: it is, with a key that is not a string. */
interface YamlValueFault {
  readonly kind: "not-yaml" | "key"
  readonly reason: string
}

type Converted = Either.Either<Value, YamlValueFault>

/** A text that spells every value out has no more of them than characters; more come from aliases that multiply. */
const nodeLimit = (text: string): number => Math.max(100_000, text.length)

const notYaml = (reason: string): Either.Either<never, YamlValueFault> => Either.left({ kind: "not-yaml", reason })

/** Empty text is null. */
export const parseYamlValue = (text: string): Converted => {
  const composed = composeYaml(text)
  if (Either.isLeft(composed)) return notYaml(composed.left.reason)
  const [document, second] = composed.right
  if (document === undefined) return Either.right(null)
  const error = document.errors[0]
  if (error !== undefined) return notYaml(error.message)
  if (second !== undefined) return notYaml("more than one document")
  return new Converter(targetsOf(document), nodeLimit(text)).convert(document.contents, 0)
}

type Targets = ReadonlyMap<Alias, Node>

/** What each alias stands for: the last node before it with that anchor. */
const targetsOf = (document: Document.Parsed): Targets => {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node)
        return
      }
      const target = anchors.get(node.source)
      if (target !== undefined) targets.set(node, target)
    }
  })
  return targets
}

class Converter {
  #nodes = 0
  readonly #open = new Set<Node>()

  constructor(
    readonly targets: Targets,
    readonly maxNodes: number
  ) {}

  convert(node: Node | null, depth: number): Converted {
    this.#nodes += 1
    if (this.#nodes > this.maxNodes) return notYaml("aliases expand it too far")
    if (depth > MAX_DEPTH) return notYaml("nested too deeply")
    if (node === null) return Either.right(null)
    if (isAlias(node)) return this.#alias(node, depth)
    if (isScalar(node)) return scalarValue(node)
    if (this.#open.has(node)) return notYaml("a value contains itself")
    this.#open.add(node)
    const value = isMap<Node | null, Node | null>(node) ? this.#map(node, depth) : this.#list(node, depth)
    this.#open.delete(node)
    return value
  }

  #alias(alias: Alias, depth: number): Converted {
    const target = this.targets.get(alias)
    return target === undefined ? notYaml("an alias without its anchor") : this.convert(target, depth)
  }

  #list(node: Node, depth: number): Converted {
    if (!isSeq<Node | null>(node)) return notYaml("neither a scalar nor a collection")
    if (node.tag !== undefined && node.tag !== `${CORE}seq`) return notYaml(`unknown tag ${node.tag}`)
    return Either.all(node.items.map((item) => this.convert(item, depth + 1)))
  }

  #map(node: YAMLMap<Node | null, Node | null>, depth: number): Converted {
    if (node.tag !== undefined && node.tag !== `${CORE}map`) return notYaml(`unknown tag ${node.tag}`)
    const own = new Map<string, Value>()
    const merged = new Map<string, Value>()
    for (const { key: keyNode, value: valueNode } of node.items) {
      const value = this.convert(valueNode, depth + 1)
      if (Either.isLeft(value)) return value
      if (isMergeKey(keyNode)) {
        if (!merge(merged, value.right)) return notYaml("a merge key needs a map or a list of maps")
        continue
      }
      const key = this.convert(keyNode, depth + 1)
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

const shown = (node: Node | null): string => (isScalar(node) ? `'${scalarSource(node)}'` : "that is a list or a map")

const isDate = (node: Node | null): boolean => isScalar(node) && readScalar(node) instanceof YamlDate

const scalarValue = (node: Scalar): Converted => {
  const value = readScalar(node)
  if (value === undefined) return notYaml(`'${scalarSource(node)}' does not fit the tag ${node.tag ?? ""}`)
  return Either.right(value instanceof YamlDate ? isoDate(value.text) : value)
}
