/**
 * How deep a document may be nested. It has to be known before anything recurses into the document: when the stack runs
 * out inside the compilation of a regular expression, V8 ends the process, and no handler sees it.
 */
import type { CST } from "yaml"

/** Real workflows stay below twenty levels. */
export const MAX_DEPTH = 100

const childrenOf = (token: CST.Token): ReadonlyArray<CST.Token> => {
  if (token.type === "document") return token.value === undefined ? [] : [token.value]
  if (!("items" in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null)
}

/** The first token that lies deeper than `depth` collections. */
export const tokenBelow = (tokens: ReadonlyArray<CST.Token>, depth: number): CST.Token | undefined => {
  let level = tokens
  for (let remaining = depth; level.length > 0; remaining--) {
    if (remaining < 0) return level[0]
    level = level.flatMap(childrenOf)
  }
  return undefined
}
