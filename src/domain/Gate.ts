/**
 * What a run asks a person, and what counts as an answer. Whoever passes an answer on checks it with the same rule as the
 * run, so that a wrong one is refused where it can still be put right.
 */
import { Either, Schema } from "effect"
import type { RunEventData } from "./RunEvent.ts"

const GateChoice = Schema.Struct({
  value: Schema.String,
  label: Schema.String,
  /** Where the run goes on; a question has none. */
  route: Schema.optionalWith(Schema.String, { exact: true }),
  /** The name of the text that comes with this choice. */
  promptFor: Schema.optionalWith(Schema.String, { exact: true })
})
type GateChoice = typeof GateChoice.Type

/** A prompt that nobody has answered yet. */
export const OpenGate = Schema.Struct({
  step: Schema.String,
  /** Different for each prompt of a run, so that a late answer never answers the next question. */
  promptId: Schema.String,
  prompt: Schema.String,
  options: Schema.Array(GateChoice)
})
export type OpenGate = typeof OpenGate.Type

export interface GateAnswer {
  /** The value of an option. */
  readonly selected: string
  /** Texts by the name that the option asks for. */
  readonly additionalInput: Readonly<Record<string, string>>
}

/** An answer that the gate does not take. The gate stays open. */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", {
  step: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `The answer to '${this.step}' was refused: ${this.reason}`
  }
}

export const openGateOf = (data: RunEventData["gate_presented"]): OpenGate => ({
  step: data.agent_name,
  promptId: data.prompt_id,
  prompt: data.prompt,
  options: data.option_details.map(({ label, prompt_for, route, value }) => ({
    value,
    label,
    ...(route === "" ? {} : { route }),
    ...(prompt_for === null ? {} : { promptFor: prompt_for })
  }))
})

const listed = (options: ReadonlyArray<GateChoice>): string =>
  options.map(({ label, value }) => (label === value ? value : `${value} (${label})`)).join(", ")

/** Gives the answer with exactly the text that its option asks for, or says what the valid ones are. */
export const checkAnswer = (gate: OpenGate, answer: GateAnswer): Either.Either<GateAnswer, AnswerRefused> => {
  const { additionalInput, selected } = answer
  const refuse = (reason: string) => Either.left(new AnswerRefused({ step: gate.step, reason }))
  const option = gate.options.find(({ value }) => value === selected)
  if (option === undefined) return refuse(`'${selected}' is no option. Valid answers: ${listed(gate.options)}.`)
  const { promptFor } = option
  const surplus = Object.keys(additionalInput).find((field) => field !== promptFor)
  if (surplus !== undefined) {
    const takes = promptFor === undefined ? "takes no text" : `takes the text '${promptFor}' only`
    return refuse(`option '${selected}' ${takes}, not '${surplus}'.`)
  }
  if (promptFor !== undefined && !Object.hasOwn(additionalInput, promptFor)) {
    return refuse(`option '${selected}' needs the text '${promptFor}'.`)
  }
  return Either.right(answer)
}
