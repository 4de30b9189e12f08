/** Syntax of the host language that conditions leave out. It is valid, so it fails only when it is evaluated. */
import type { Expression } from "./Ast.ts"

const noList = "compare with each value, as in a == 'x' or a == 'y'"

export const unsupported = (what: string, offset: number, remedy?: string): Expression => ({
  kind: "unsupported",
  what,
  remedy,
  offset
})

/** Lists, tuples, maps and sets, with what to write in their place. */
export const unsupportedCollection = (what: string, offset: number): Expression => unsupported(what, offset, noList)
