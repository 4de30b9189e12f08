/** `conductor resume <run>`: goes on with a run that failed, was cancelled or was lost, and stays with it. */
import { Effect } from "effect"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { RunResumption } from "../runs/RunResumption.ts"
import { stayWith } from "./follow/FollowRun.ts"
import { patiently, STARTING } from "./output/Patience.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

export const resume = (options: Call<Verbs["resume"]>) =>
  Effect.gen(function* () {
    const resumption = yield* RunResumption
    const monitor = yield* RunMonitor
    const acceptChange = options["accept-change"]
    const groups = options["restart-groups"] ? "restart" : "continue"
    const before = yield* suggestRun(monitor.status(options.run))
    const resume = resumption.resume(options.run, { acceptChange, groups })
    const view = yield* suggestRun(patiently(STARTING, options)(resume))
    yield* stayWith(view, options, before.lastEvent?.seq)
  })
