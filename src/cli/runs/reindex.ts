/** `conductor runs reindex`: makes the index anew from the logs, which are the truth. */
import { Effect } from "effect"
import { reindex as reindexRuns } from "../../runs/Reindex.ts"
import { Output, printJson, shown } from "../output/Output.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"

export const reindex = (options: Call<Verbs["runsReindex"]>) =>
  Effect.gen(function* () {
    const output = yield* Output
    yield* output.region(["Reading the logs of all runs …"])
    const { runs, warnings } = yield* reindexRuns()
    yield* output.region([])
    if (options.json) return yield* printJson({ runs, warnings })
    for (const warning of warnings) yield* output.report(output.errorStyle.yellow(`warning: ${shown(warning)}`))
    yield* output.print(`Indexed ${runs} ${runs === 1 ? "run" : "runs"}.`)
  })
