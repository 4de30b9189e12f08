/** Runs one case of `conditions.json`. */
import { Either } from "effect"
import { get, isMap, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { conditionForm, evaluateCondition } from "../../../src/language/Condition.ts"
import { decode, decodeMap, text } from "./Corpus.ts"

const resolve = (value: Value | undefined, bases: ValueMap): Value => {
  const base = typeof value === "string" ? get(bases, value) : undefined
  return base ?? decode(value ?? null)
}

const basesOf = (file: Value, key: "contexts" | "outputs"): ValueMap =>
  decodeMap(isMap(file) ? get(file, key) : undefined)

/**
 * `null` when the case passes, otherwise why it fails. `file` is the whole document of the case: `context` and `output`
 * may name an entry that it holds once.
 */
export const runConditionCase = (entry: ValueMap, file: Value): string | null => {
  const when = text(entry, "when") ?? ""
  const form = conditionForm(when)
  if (form !== text(entry, "form")) return `taken for ${form}, not for ${text(entry, "form") ?? ""}`
  const context = decodeMap(resolve(get(entry, "context"), basesOf(file, "contexts")))
  const result = evaluateCondition(when, context, resolve(get(entry, "output"), basesOf(file, "outputs")))
  const kind = text(entry, "error")
  if (kind === undefined) {
    if (Either.isLeft(result)) return `failed: ${result.left.message}`
    return result.right === get(entry, "expected") ? null : `is ${result.right}`
  }
  if (Either.isRight(result)) return `is ${result.right}, not an error of kind ${kind}`
  const error = result.left
  if (error.kind !== kind) return `failed with kind ${error.kind}, not ${kind}: ${error.message}`
  const name = text(entry, "errorName")
  return name === undefined || error.subject === name ? null : `failed for '${error.subject ?? ""}', not for '${name}'`
}
