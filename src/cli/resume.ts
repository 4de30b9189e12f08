/** `conductor resume <run>`: goes on with a run that failed, was cancelled or was lost, and stays with it. */
import { Effect } from "effect"
import { RunResumption } from "../runs/RunResumption.ts"
import { followRun, printEnd, printEndAsJson } from "./runs/FollowRun.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

export const resume = (options: Call<Verbs["resume"]>) =>
  Effect.gen(function* () {
    const resumption = yield* RunResumption
    const acceptChange = options["accept-change"]
    const view = yield* followRun(yield* suggestRun(resumption.resume(options.run, { acceptChange })))
    yield* options.json ? printEndAsJson(view) : printEnd(view)
  })
