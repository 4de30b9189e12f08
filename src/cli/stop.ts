/** `conductor stop <run>`: ends a run and says what it took. */
import { Effect } from "effect"
import { RunCancellation, type CancelOutcome } from "../runs/RunCancellation.ts"
import { failed } from "./CliFailure.ts"
import { Output, printJson } from "./output/Output.ts"
import { runJson } from "./runs/RunReport.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

const rungs = {
  inbox: "it ended itself when asked",
  terminate: "it took a TERM signal",
  kill: "it took a KILL signal"
} as const

const sentence = (outcome: CancelOutcome): string => {
  switch (outcome._tag) {
    case "AlreadyFinished":
      return `Run ${outcome.view.runId} had already ended: ${outcome.view.status}.`
    case "Cancelled":
      return `Run ${outcome.view.runId} is cancelled: ${rungs[outcome.rung]}.`
    case "Survived":
      return `Run ${outcome.view.runId} could not be ended: ${outcome.reason}`
  }
}

export const stop = (options: Call<Verbs["stop"]>) =>
  Effect.gen(function* () {
    const cancellation = yield* RunCancellation
    const output = yield* Output
    const outcome = yield* suggestRun(cancellation.cancel(options.run, "cli"))
    if (options.json) {
      yield* printJson({
        outcome: outcome._tag,
        ...(outcome._tag === "Cancelled" ? { rung: outcome.rung } : {}),
        ...(outcome._tag === "Survived" ? { reason: outcome.reason } : {}),
        run: runJson(outcome.view)
      })
    } else if (outcome._tag !== "Survived") {
      yield* output.print(sentence(outcome))
    }
    if (outcome._tag === "Survived") return yield* failed(sentence(outcome))
  })
