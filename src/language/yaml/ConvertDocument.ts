/**
 * Turns the YAML library's nodes into positioned nodes: resolves aliases and merge keys, types plain scalars, and
 * collects what a workflow file may not contain.
 */
import { Either } from "effect"
import { isAlias, isMap, isScalar, isSeq, Scalar, type LineCounter, type Node, type YAMLMap } from "yaml"
import { dotted, type Place, type Position, type Problem } from "../Problem.ts"
import { Aliases } from "./Aliases.ts"
import { MAX_DEPTH } from "./Limits.ts"
import { plainScalar, scalarToValue, type ScalarValue } from "./PlainScalar.ts"
import { CORE, isMergeKey, readScalar, scalarSource } from "./ReadScalar.ts"
import type { MappingEntry, MappingNode, YamlNode } from "./YamlNode.ts"

const COLLECTION_TAGS: Readonly<Record<"mapping" | "sequence", string>> = {
  mapping: `${CORE}map`,
  sequence: `${CORE}seq`
}

/** Entries of merged mappings come first in precedence order: own keys win, then earlier sources. */
const withMerged = (own: ReadonlyArray<MappingEntry>, merged: ReadonlyArray<MappingEntry>): Array<MappingEntry> => {
  const seen = new Set(own.map(({ key }) => key))
  const added = merged.filter(({ key }) => !seen.has(key) && seen.add(key) !== undefined)
  return [...added, ...own]
}

class Converter {
  readonly problems: Array<Problem> = []
  readonly #aliases = new Aliases()

  constructor(
    readonly lines: LineCounter,
    readonly file: string
  ) {}

  convert(node: Node | null, place: Place, depth: number, around: Position): YamlNode {
    if (node === null) return { kind: "scalar", value: null, position: around }
    const position = this.position(node)
    if (depth > MAX_DEPTH) return this.#fail(place, position, "the document is nested too deeply")
    if (isAlias(node)) return this.#alias(node.source, place, position, depth)
    const { anchor } = node
    const read = () => this.#content(node, place, depth, position)
    return anchor === undefined ? read() : this.#aliases.define(anchor, read)
  }

  position(node: Node): Position {
    const { line, col } = this.lines.linePos(node.range?.[0] ?? 0)
    return { file: this.file, line, column: col }
  }

  #content(node: Node, place: Place, depth: number, position: Position): YamlNode {
    if (isScalar(node)) return this.#scalar(node, place, position)
    if (isMap<Node | null, Node | null>(node)) return this.#mapping(node, place, depth, position)
    if (!isSeq<Node | null>(node)) return this.#fail(place, position, "unreadable YAML")
    this.#checkCollectionTag(node.tag, "sequence", place, position)
    const items = node.items.map((item, index) => this.convert(item, [...place, index], depth + 1, position))
    return { kind: "sequence", items, position }
  }

  #alias(name: string, place: Place, position: Position, depth: number): YamlNode {
    return Either.getOrElse(this.#aliases.resolve(name, depth), (reason) => this.#fail(place, position, reason))
  }

  #scalar(node: Scalar, place: Place, position: Position): YamlNode {
    if (node.tag === "!file") return { kind: "include", target: scalarSource(node), position }
    const value = readScalar(node)
    return value === undefined ? this.#unknownTag(node.tag ?? "", place, position) : { kind: "scalar", value, position }
  }

  #unknownTag(tag: string, place: Place, position: Position): YamlNode {
    return this.#fail(place, position, `unknown tag ${shortTag(tag)}`, "the only tag of workflow files is !file")
  }

  #checkCollectionTag(tag: string | undefined, kind: "mapping" | "sequence", place: Place, position: Position) {
    if (tag === undefined || tag === "!" || tag === COLLECTION_TAGS[kind]) return
    if (tag === "!file") this.#fail(place, position, `!file needs a path, not a ${kind}`)
    else this.#unknownTag(tag, place, position)
  }

  #mapping(node: YAMLMap<Node | null, Node | null>, place: Place, depth: number, position: Position): MappingNode {
    this.#checkCollectionTag(node.tag, "mapping", place, position)
    const own = new Map<string, MappingEntry>()
    const merged: Array<MappingEntry> = []
    for (const { key: keyNode, value } of node.items) {
      const keyPosition = keyNode === null ? position : this.position(keyNode)
      if (isMergeKey(keyNode)) {
        merged.push(...this.#mergeSources(this.convert(value, [...place, "<<"], depth + 1, keyPosition), place))
        continue
      }
      const key = this.#key(keyNode, place, keyPosition)
      if (key === undefined) continue
      const earlier = own.get(key)
      if (earlier !== undefined) {
        const message = `duplicate key "${key}" at line ${keyPosition.line}, first given at line ${earlier.keyPosition.line}`
        this.#fail([...place, key], keyPosition, message)
        continue
      }
      own.set(key, { key, keyPosition, value: this.convert(value, [...place, key], depth + 1, keyPosition) })
    }
    return { kind: "mapping", entries: withMerged([...own.values()], merged), position }
  }

  /** The scalar that a key is; undefined for a collection. */
  #keyValue(node: Node | null, place: Place, position: Position): ScalarValue | undefined {
    if (node === null) return null
    if (isScalar(node)) {
      return node.type === Scalar.PLAIN && node.tag === undefined ? plainScalar(node.source ?? "") : String(node.value)
    }
    const target = isAlias(node) ? this.#alias(node.source, place, position, place.length) : undefined
    return target?.kind === "scalar" ? target.value : undefined
  }

  #key(node: Node | null, place: Place, position: Position): string | undefined {
    const value = this.#keyValue(node, place, position)
    const shown = value === undefined ? "a collection" : String(scalarToValue(value))
    // This key would reach the prototype of whatever object is later built from the mapping.
    if (value === "__proto__") this.#fail([...place, shown], position, `the key "__proto__" cannot be used`)
    else if (typeof value === "string") return value
    else this.#fail([...place, shown], position, `the key ${shown} is not a string`, "put it in quotes to make it text")
    return undefined
  }

  #mergeSources(source: YamlNode, place: Place): ReadonlyArray<MappingEntry> {
    if (source.kind === "mapping") return source.entries
    if (source.kind === "sequence" && source.items.every((item) => item.kind === "mapping")) {
      return source.items.flatMap((item) => (item.kind === "mapping" ? item.entries : []))
    }
    this.#fail([...place, "<<"], source.position, "a merge key needs a mapping or a list of mappings")
    return []
  }

  #fail(place: Place, position: Position, message: string, suggestion?: string): YamlNode {
    this.problems.push({
      path: dotted(place),
      message,
      ...position,
      ...(suggestion === undefined ? {} : { suggestion })
    })
    return { kind: "scalar", value: null, position }
  }
}

const shortTag = (tag: string): string => (tag.startsWith(CORE) ? `!!${tag.slice(CORE.length)}` : tag)

/** `node` is null for an empty document; with problems it is not to be used. */
export const convertDocument = (
  contents: Node | null,
  lines: LineCounter,
  file: string
): { readonly node: YamlNode | null; readonly problems: ReadonlyArray<Problem> } => {
  if (contents === null) return { node: null, problems: [] }
  const converter = new Converter(lines, file)
  const node = converter.convert(contents, [], 0, converter.position(contents))
  const isEmpty = node.kind === "scalar" && node.value === null
  return { node: isEmpty ? null : node, problems: converter.problems }
}
