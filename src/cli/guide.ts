/** `conductor guide <run> --text`: says something to a run while it goes on. */
import { Effect } from "effect"
import { guideRun } from "../runs/GuideRun.ts"
import { misused } from "./CliFailure.ts"
import { Output } from "./output/Output.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

export const guide = (options: Call<Verbs["guide"]>) =>
  Effect.gen(function* () {
    const output = yield* Output
    if (options.text === undefined) return yield* misused("Say what the run should hear: --text TEXT.")
    const view = yield* suggestRun(guideRun(options.run, options.text))
    yield* output.print(`Run ${view.runId} hears it before its next step; steps that ask a model will follow it.`)
  })
