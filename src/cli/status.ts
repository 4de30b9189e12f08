/** `conductor status <run>`: what is known of one run. */
import { Command } from "@effect/cli"
import { Clock, Effect } from "effect"
import { stringifyJson } from "../domain/Value.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { json, runId } from "./CommonOptions.ts"
import { Output, printJson, shown } from "./output/Output.ts"
import { runJson, runLines } from "./runs/RunReport.ts"

export const status = Command.make("status", { run: runId, json }, (options) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const view = yield* monitor.status(options.run)
    if (options.json) return yield* printJson(runJson(view))
    const now = yield* Clock.currentTimeMillis
    yield* output.print(runLines(view, now, output.style).join("\n"))
    if (view.output !== undefined) yield* output.print(shown(stringifyJson(view.output, 2)))
  })
).pipe(Command.withDescription("Show what is known of a run"))
