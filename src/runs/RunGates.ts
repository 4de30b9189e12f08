/** The port to the open gates of all runs: which there are, and a way to answer one from any process. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { checkAnswer, type AnswerRefused, type GateAnswer, type OpenGate } from "../domain/Gate.ts"
import { NoOpenGate, type RunNotFound, type RunStoreError } from "./RunErrors.ts"
import { RunInbox } from "./RunInbox.ts"
import { RunMonitor } from "./RunMonitor.ts"
import type { RunView } from "./RunView.ts"

interface WaitingRun {
  readonly view: RunView
  readonly gate: OpenGate
}

export interface WaitingRuns {
  /** Newest run first. */
  readonly waiting: ReadonlyArray<WaitingRun>
  /** What could not be read. */
  readonly warnings: ReadonlyArray<string>
}

/** `Sent`: the answer is kept for the run, which has not said yet that it took it. */
interface Responded {
  readonly _tag: "Taken" | "Sent"
  readonly view: RunView
}

export class RunGates extends Context.Tag("conductor/RunGates")<
  RunGates,
  {
    readonly list: Effect.Effect<WaitingRuns, RunStoreError>
    /**
     * A wrong answer is refused here, and the gate stays open. `promptId` names the prompt that is answered: when another
     * one is open by now, that is not answered by mistake. Left out, it is whichever is open.
     */
    readonly respond: (
      runId: string,
      answer: GateAnswer,
      promptId?: string
    ) => Effect.Effect<Responded, AnswerRefused | NoOpenGate | RunNotFound | RunStoreError>
  }
>() {}

/** Runs that wait at once: more than anybody answers by hand. */
const mostListed = 500

const patience = "5 seconds"

const make = Effect.gen(function* () {
  const monitor = yield* RunMonitor
  const inbox = yield* RunInbox

  /** The first view in which the prompt is not open any more. */
  const taken = (view: RunView, { promptId }: OpenGate) =>
    monitor.watch(view.runId).pipe(
      Stream.filter(({ gate }) => gate?.promptId !== promptId),
      Stream.runHead,
      Effect.timeoutOption(patience),
      Effect.map(Option.flatten)
    )

  return RunGates.of({
    list: Effect.map(monitor.list({ status: "awaiting_gate", limit: mostListed, offset: 0 }), ({ runs, warnings }) => ({
      waiting: runs.flatMap((view) => (view.gate === undefined ? [] : [{ view, gate: view.gate }])),
      warnings
    })),
    respond: Effect.fn("RunGates.respond")(function* (runId, answer, promptId) {
      const view = yield* monitor.status(runId)
      const { gate, status } = view
      if (gate === undefined || gate.promptId !== (promptId ?? gate.promptId)) {
        return yield* new NoOpenGate({ runId, status })
      }
      const { additionalInput, selected } = yield* checkAnswer(gate, answer)
      yield* inbox.post(view.runId, {
        type: "gate_answer",
        agent_name: gate.step,
        prompt_id: gate.promptId,
        selected,
        additional_input: additionalInput
      })
      return Option.match(yield* taken(view, gate), {
        onNone: () => ({ _tag: "Sent", view }),
        onSome: (after) => ({ _tag: "Taken", view: after })
      })
    })
  })
})

export const layer: Layer.Layer<RunGates, never, RunMonitor | RunInbox> = Layer.effect(RunGates, make)
