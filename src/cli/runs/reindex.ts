/** `conductor runs reindex`: makes the index anew from the logs, which are the truth. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { reindex as reindexRuns } from "../../runs/Reindex.ts"
import { json } from "../CommonOptions.ts"
import { Output, printJson } from "../output/Output.ts"

export const reindex = Command.make("reindex", { json }, (options) =>
  Effect.gen(function* () {
    const output = yield* Output
    yield* output.progress("Reading the logs of all runs …")
    const { runs, warnings } = yield* reindexRuns()
    if (options.json) return yield* printJson({ runs, warnings })
    for (const warning of warnings) yield* output.report(output.errorStyle.yellow(`warning: ${warning}`))
    yield* output.print(`Indexed ${runs} ${runs === 1 ? "run" : "runs"}.`)
  })
).pipe(Command.withDescription("Make the index of runs anew from their logs"))
