/** Waits for an answer that the open gate takes. A wrong one is refused out loud and leaves the gate open. */
import { Effect, Either } from "effect"
import { checkAnswer, type AnswerRefused, type GateAnswer, type OpenGate } from "../../domain/Gate.ts"
import type { HumanGateError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import type { Journal } from "../Journal.ts"
import { People } from "../People.ts"

const askAgain = (
  gate: OpenGate,
  journal: Journal,
  refused: ReadonlyArray<AnswerRefused>
): Effect.Effect<GateAnswer, HumanGateError | EventSinkError> =>
  Effect.gen(function* () {
    const people = yield* People
    const checked = checkAnswer(gate, yield* people.ask({ gate, refused }))
    if (Either.isRight(checked)) return checked.right
    yield* journal.append("run_warning", { warning: checked.left.message })
    return yield* askAgain(gate, journal, [...refused, checked.left])
  })

export const askPerson = (
  gate: OpenGate,
  journal: Journal
): Effect.Effect<GateAnswer, HumanGateError | EventSinkError> => askAgain(gate, journal, [])
