/** `conductor runs list`: the runs of this machine, newest first. */
import { Clock, Effect } from "effect"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import { Output, printJson, shown, shownInline } from "../output/Output.ts"
import { renderTable } from "../output/Table.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"
import { progressText, runElapsed, runJson, statusText } from "./RunReport.ts"

const noRuns = (total: number, { status, workflow }: Call<Verbs["runsList"]>): string => {
  if (total > 0) return `None of the ${total} runs is on this page: raise --limit or lower --offset.`
  return status === undefined && workflow === undefined
    ? "No runs yet. Start one with 'conductor run <workflow>'."
    : "No run matches. 'conductor runs list' shows all."
}

export const listRuns = (options: Call<Verbs["runsList"]>) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const page = yield* monitor.list({
      ...(options.status === undefined ? {} : { status: options.status }),
      ...(options.workflow === undefined ? {} : { workflow: options.workflow }),
      limit: options.limit,
      offset: options.offset
    })
    if (options.json) {
      return yield* printJson({ runs: page.runs.map(runJson), total: page.total, warnings: page.warnings })
    }
    for (const warning of page.warnings) yield* output.report(output.errorStyle.yellow(`warning: ${shown(warning)}`))
    if (page.runs.length === 0) {
      return yield* output.report(noRuns(page.total, options))
    }
    const now = yield* Clock.currentTimeMillis
    const table = renderTable(
      [
        { title: "run" },
        { title: "status" },
        { title: "workflow" },
        { title: "started" },
        { title: "elapsed", align: "right" },
        { title: "progress" }
      ],
      page.runs.map((view) => [
        view.runId,
        statusText(view.status, output.style),
        shownInline(view.workflow.name),
        view.startedAt.slice(0, 19).replace("T", " "),
        runElapsed(view, now),
        progressText(view)
      ]),
      { title: output.style.dim, width: output.width }
    )
    yield* output.print(table)
    const shownUntil = options.offset + page.runs.length
    if (page.total > shownUntil) yield* output.report(`${page.total - shownUntil} more: --offset ${shownUntil}`)
  })
