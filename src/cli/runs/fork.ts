/** `conductor runs fork <run> --from <step>`: a new run that takes over what another one did before a step. */
import { Effect } from "effect"
import { RunResumption } from "../../runs/RunResumption.ts"
import { misused } from "../CliFailure.ts"
import { stayWith } from "../follow/FollowRun.ts"
import { patiently, STARTING } from "../output/Patience.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"
import { suggestRun } from "./SuggestRun.ts"

export const fork = (options: Call<Verbs["runsFork"]>) =>
  Effect.gen(function* () {
    const { from, run: runId } = options
    if (from === undefined) {
      return yield* misused(
        `Say at which step the new run begins: --from <step>. 'conductor logs ${runId}' shows them.`
      )
    }
    const resumption = yield* RunResumption
    const forked = resumption.fork({ runId, from, provenance: { via: "cli" } })
    yield* stayWith(yield* suggestRun(patiently(STARTING, options)(forked)), options)
  })
