/** What a scalar of the YAML library means: by its style when it has no tag, else by what the tag makes of its text. */
import { isScalar, Scalar, type Node } from "yaml"
import { Float, float } from "../../domain/Value.ts"
import { plainScalar, YamlDate, type ScalarValue } from "./PlainScalar.ts"

/** The prefix of the tags that YAML itself defines. */
export const CORE = "tag:yaml.org,2002:"

const taggedScalar = (tag: string, source: string): ScalarValue | undefined => {
  if (tag === "!" || tag === `${CORE}str`) return source
  const value = plainScalar(source)
  switch (tag) {
    case `${CORE}null`:
      return value === null ? value : undefined
    case `${CORE}bool`:
      return typeof value === "boolean" ? value : undefined
    case `${CORE}int`:
      return typeof value === "bigint" || Number.isInteger(value) ? value : undefined
    case `${CORE}float`:
      if (value instanceof Float) return value
      return typeof value === "number" || typeof value === "bigint" ? float(Number(value)) : undefined
    case `${CORE}timestamp`:
      return value instanceof YamlDate ? value : undefined
    default:
      return undefined
  }
}

export const scalarSource = (node: Scalar): string => node.source ?? String(node.value ?? "")

/** Undefined when the tag is unknown or the text does not fit it. */
export const readScalar = (node: Scalar): ScalarValue | undefined => {
  const source = scalarSource(node)
  if (node.tag !== undefined) return taggedScalar(node.tag, source)
  return node.type === Scalar.PLAIN ? plainScalar(source) : source
}

/** `<<`, unless it is quoted. */
export const isMergeKey = (key: Node | null): boolean =>
  isScalar(key) && key.type === Scalar.PLAIN && key.source === "<<"
