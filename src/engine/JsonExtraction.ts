/**
 * Finds the JSON in a model's reply, which may stand alone, in a fenced block or in the middle of prose (workflow
 * language §5.12).
 */
import { Option } from "effect"
import { parseJson, type Value } from "../domain/Value.ts"

const FENCE = /```(?:[\w-]*)[ \t]*\r?\n?([\s\S]*?)```/g
const OUTER_FENCE = /```(?:[\w-]*)[ \t]*\r?\n?([\s\S]*)```/
const BRACES = /\{[\s\S]*\}/

function* candidates(text: string): Generator<string> {
  yield text
  for (const match of text.matchAll(FENCE)) yield match[1] ?? ""
  const outer = OUTER_FENCE.exec(text)
  if (outer !== null) yield outer[1] ?? ""
  const braces = BRACES.exec(text)
  if (braces !== null) yield braces[0]
}

const parse = Option.liftThrowable(parseJson)

/** The first candidate that is JSON: the whole text, a fenced block, all between the outer fences, all between braces. */
export const extractJson = (text: string): Option.Option<Value> => {
  for (const candidate of candidates(text)) {
    const value = parse(candidate.trim())
    if (Option.isSome(value)) return value
  }
  return Option.none()
}
