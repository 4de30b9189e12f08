/** Names what stands in a file, for messages of the form "expected this, got that". */
import { Float, stringifyJson } from "../../domain/Value.ts"
import { YamlDate } from "../yaml/PlainScalar.ts"

/** A whole prompt would bury the message, and may hold what no message should show. */
const MAX_QUOTED = 60

const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text)

/** The YAML kind of a value with its text, as in `the number 5`. */
export const describe = (input: unknown): string => {
  if (input === undefined) return "nothing"
  if (input === null) return "null"
  if (input instanceof YamlDate) return `the date ${input.text}`
  if (input instanceof Float) return `the number ${stringifyJson(input)}`
  if (Array.isArray(input)) return "a list"
  if (typeof input === "object") return "a mapping"
  return typeof input === "string" ? `the text ${quoted(input)}` : `the ${typeof input} ${String(input)}`
}
