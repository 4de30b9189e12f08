/** Who answers the gates and questions of a run. Nobody, unless a host provides somebody: the run fails at its first gate. */
import { Context, Effect } from "effect"
import type { AnswerRefused, GateAnswer, OpenGate } from "../domain/Gate.ts"
import { HumanGateError } from "./EngineErrors.ts"

interface GateQuestion {
  readonly gate: OpenGate
  /** Why the answers so far were refused, oldest first; the next one is asked for. */
  readonly refused: ReadonlyArray<AnswerRefused>
}

const nobody = ({ gate }: GateQuestion) =>
  new HumanGateError({
    message: `Nobody can answer '${gate.step}' here. Start the run with '--skip-gates', or where people can reach it.`
  })

export class People extends Context.Reference<People>()("conductor/People", {
  defaultValue: () => ({
    /** Waits for an answer as long as it takes; the run checks it. Interruptible, and asked anew when a run is resumed. */
    ask: (question: GateQuestion): Effect.Effect<GateAnswer, HumanGateError> => Effect.fail(nobody(question))
  })
}) {}
