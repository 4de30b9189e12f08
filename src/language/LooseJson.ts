/** JSON as the host language of the format reads it: also `NaN`, `Infinity` and `-Infinity` are numbers. */
import { Option } from "effect"
import { parseJsonWith, parseNumber, type Value } from "../domain/Value.ts"

/**
 * Numbers that no JSON text holds stand for those words while the text is parsed. The blanks around them keep a word that
 * touches a digit from becoming a longer number.
 */
const standIns: ReadonlyMap<string, string> = new Map([
  ["NaN", "0e777777777"],
  ["Infinity", "1e777777777"],
  ["-Infinity", "-1e777777777"]
])

const stringOrWord = /"(?:[^"\\]|\\[\s\S])*"|-?\bInfinity\b|\bNaN\b/g

const readNumber = (text: string): Value => (text === standIns.get("NaN") ? Number.NaN : parseNumber(text))

/** Of a repeated key the last value counts. `None` when the text is no JSON. */
export const parseLooseJson = (text: string): Option.Option<Value> => {
  const standing = text.replace(stringOrWord, (part) =>
    part.startsWith('"') ? part : ` ${standIns.get(part) ?? part} `
  )
  return Option.liftThrowable(() => parseJsonWith(standing, readNumber))()
}
