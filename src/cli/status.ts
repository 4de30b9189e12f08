/** `conductor status <run>`: what is known of one run. */
import { Clock, Effect } from "effect"
import { stringifyJson } from "../domain/Value.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { Output, printJson, shown } from "./output/Output.ts"
import { runJson, runLines } from "./runs/RunReport.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

export const status = (options: Call<Verbs["status"]>) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const view = yield* suggestRun(monitor.status(options.run))
    if (options.json) return yield* printJson(runJson(view))
    const now = yield* Clock.currentTimeMillis
    yield* output.print(runLines(view, now, output.style).join("\n"))
    if (view.output !== undefined) yield* output.print(shown(stringifyJson(view.output, 2)))
  })
