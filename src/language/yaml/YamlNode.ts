/** A YAML document as data with positions: what the loader works on before the format's schemas see plain values. */
import type { Value } from "../../domain/Value.ts"
import type { Place, Position } from "../Problem.ts"
import { scalarToValue, type ScalarValue, type YamlDate } from "./PlainScalar.ts"

export interface ScalarNode {
  readonly kind: "scalar"
  readonly value: ScalarValue
  readonly position: Position
  /** The included file whose whole text this scalar is. */
  readonly origin?: string
}

interface SequenceNode {
  readonly kind: "sequence"
  readonly items: ReadonlyArray<YamlNode>
  readonly position: Position
  readonly origin?: string
}

export interface MappingEntry {
  readonly key: string
  readonly keyPosition: Position
  readonly value: YamlNode
}

export interface MappingNode {
  readonly kind: "mapping"
  readonly entries: ReadonlyArray<MappingEntry>
  readonly position: Position
  readonly origin?: string
}

/** `!file <target>`, not yet resolved. */
export interface IncludeNode {
  readonly kind: "include"
  readonly target: string
  readonly position: Position
}

export type YamlNode = ScalarNode | SequenceNode | MappingNode | IncludeNode

/** What the format's schemas decode: a `Value` that still tells dates from text. */
export type Raw = Value | YamlDate | ReadonlyArray<Raw> | { readonly [key: string]: Raw }

const build = <A>(
  node: YamlNode,
  leaf: (scalar: ScalarValue) => A,
  list: (items: ReadonlyArray<A>) => A,
  map: (entries: ReadonlyArray<readonly [string, A]>) => A
): A => {
  switch (node.kind) {
    case "scalar":
      return leaf(node.value)
    case "include":
      return leaf(`!file ${node.target}`)
    case "sequence":
      return list(node.items.map((item) => build(item, leaf, list, map)))
    case "mapping":
      return map(node.entries.map(({ key, value }) => [key, build(value, leaf, list, map)] as const))
  }
}

/** Plain data for decoding. An include that was left unresolved shows as its own text. */
export const toRaw = (node: YamlNode): Raw =>
  build<Raw>(
    node,
    (scalar) => scalar,
    (items) => items,
    (entries) => Object.fromEntries(entries)
  )

/** Plain data with dates as text. */
export const toValue = (node: YamlNode): Value =>
  build<Value>(
    node,
    scalarToValue,
    (items) => items,
    (entries) => Object.fromEntries(entries)
  )

const child = (node: YamlNode, step: string | number): YamlNode | undefined => {
  if (node.kind === "sequence") return node.items[Number(step)]
  return node.kind === "mapping" ? node.entries.find(({ key }) => key === step)?.value : undefined
}

export const nodeAt = (root: YamlNode, place: Place): YamlNode | undefined => {
  let node: YamlNode | undefined = root
  for (const step of place) {
    if (node === undefined) return undefined
    node = child(node, step)
  }
  return node
}

/** Where a mapping names `key`. */
export const keyPositionAt = (root: YamlNode, place: Place): Position | undefined => {
  const parent = nodeAt(root, place.slice(0, -1))
  return parent?.kind === "mapping" ? parent.entries.find(({ key }) => key === place.at(-1))?.keyPosition : undefined
}

/** The position of a place or, when the file has no such place, of the nearest one around it. */
export const positionNear = (root: YamlNode, place: Place): Position => {
  for (let length = place.length; length > 0; length--) {
    const node = nodeAt(root, place.slice(0, length))
    if (node !== undefined) return node.position
  }
  return root.position
}

/** Every scalar of a tree with its place. */
export function* scalars(node: YamlNode, place: Place = []): Generator<readonly [Place, ScalarNode]> {
  if (node.kind === "scalar") yield [place, node]
  if (node.kind === "sequence")
    for (const [index, item] of node.items.entries()) yield* scalars(item, [...place, index])
  if (node.kind === "mapping") for (const { key, value } of node.entries) yield* scalars(value, [...place, key])
}

/** The same tree with every scalar replaced. */
export const mapScalars = (
  node: YamlNode,
  replace: (scalar: ScalarNode, place: Place) => YamlNode,
  place: Place = []
): YamlNode => {
  switch (node.kind) {
    case "scalar":
      return replace(node, place)
    case "include":
      return node
    case "sequence":
      return { ...node, items: node.items.map((item, index) => mapScalars(item, replace, [...place, index])) }
    case "mapping": {
      const entries = node.entries.map((entry) => ({
        ...entry,
        value: mapScalars(entry.value, replace, [...place, entry.key])
      }))
      return { ...node, entries }
    }
  }
}
