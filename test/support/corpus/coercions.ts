/** Runs one case of `coercions.json`. */
import { Either } from "effect"
import { float, get, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import {
  parseCliFlag,
  parseCliInput,
  parseFinalOutput,
  parseMappedInput,
  parseSetTyped,
  type SetOutputType
} from "../../../src/language/Coercion.ts"
import { parseDuration } from "../../../src/language/Duration.ts"
import { decode, sameValue, text, typeOf } from "./Corpus.ts"

type Result = Either.Either<Value, { readonly message: string }>

const setTypes: ReadonlyMap<string, SetOutputType> = new Map(
  (["auto", "string", "number", "integer", "boolean", "list", "dict"] as const).map((type) => [`set-${type}`, type])
)

const run = (kind: string, source: string, name: string | undefined): Result => {
  const setType = setTypes.get(kind)
  if (setType !== undefined) return parseSetTyped(setType, source)
  switch (kind) {
    case "final":
      return Either.right(parseFinalOutput(source))
    case "input_mapping":
      return Either.right(parseMappedInput(source))
    case "cli-input":
      return Either.right(parseCliInput(source))
    case "cli-flag":
      return Either.flatMap(parseCliFlag(source), (flag): Result =>
        name === undefined || flag.name === name
          ? Either.right(flag.value)
          : Either.left({ message: `name is '${flag.name}'` })
      )
    case "duration":
      return Either.map(parseDuration(source), float)
    default:
      return Either.left({ message: `unknown kind '${kind}'` })
  }
}

/** `null` when the case passes, otherwise why it fails. */
export const runCoercionCase = (entry: ValueMap): string | null => {
  const result = run(text(entry, "kind") ?? "", text(entry, "text") ?? "", text(entry, "name"))
  if (get(entry, "error") === true) return Either.isLeft(result) ? null : `is ${show(result.right)}, not an error`
  if (Either.isLeft(result)) return `failed: ${result.left.message}`
  const expected = decode(get(entry, "value") ?? null)
  const type = typeOf(result.right)
  if (type !== text(entry, "type")) return `is of type ${type}, not ${text(entry, "type") ?? ""}`
  return sameValue(result.right, expected) ? null : `is ${show(result.right)}, not ${show(expected)}`
}

const show = (value: Value): string =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part)) ?? ""
