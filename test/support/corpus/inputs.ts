/** Runs the cases of `inputs.json`: what a step sees of the inputs and of the steps before it. */
import { Either, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { isMap, toJson, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { stepContext, type Memory } from "../../../src/engine/StepContext.ts"
import { initialState, withOutput } from "../../../src/engine/State.ts"
import { ContextMode } from "../../../src/language/document/Context.ts"
import { StepType } from "../../../src/language/document/Vocabulary.ts"

const AnyMap = Schema.declare((input: unknown): input is ValueMap => isMap(input as Value))
const AnyValue = Schema.declare((input: unknown): input is Value => input !== undefined)

const InputCase = Schema.Struct({
  id: Schema.String,
  mode: ContextMode,
  refs: Schema.Array(Schema.String),
  outputs: Schema.Array(Schema.Tuple(Schema.String, AnyValue)),
  inputs: AnyMap,
  stepType: Schema.optional(StepType),
  expected: Schema.optional(AnyMap),
  error: Schema.optional(Schema.String),
  messageContains: Schema.optional(Schema.Array(Schema.String))
})
type InputCase = typeof InputCase.Type

const memoryOf = ({ inputs, outputs }: InputCase): Memory =>
  outputs.reduce((state, [node, output]) => withOutput(state, node, output), { ...initialState(1), inputs })

const show = (value: Value): string => JSON.stringify(toJson(value))

/** Gives `null` when the case passes, otherwise why it does not. */
export const runInputCase = (input: ValueMap): string | null => {
  const testCase = Schema.decodeUnknownSync(InputCase)(input)
  const viewer = { type: testCase.stepType ?? "agent", input: testCase.refs }
  const seen = stepContext(testCase.mode, { name: "wf" }, memoryOf(testCase), viewer)
  if (Either.isLeft(seen)) {
    const { _tag, message } = seen.left
    if (testCase.error !== _tag) return `${_tag}: ${message}`
    const missing = testCase.messageContains?.filter((word) => !message.includes(word)) ?? []
    return missing.length === 0 ? null : `missing ${JSON.stringify(missing)} in: ${message}`
  }
  if (testCase.expected === undefined) return `no error, but ${show(seen.right)}`
  if (isDeepStrictEqual(toJson(seen.right), toJson(testCase.expected))) return null
  return `expected ${show(testCase.expected)}, got ${show(seen.right)}`
}
