/** `conductor runs list`: the runs of this machine, newest first. */
import { Command, Options } from "@effect/cli"
import { Clock, Effect, Option } from "effect"
import { RunStatus } from "../../domain/RunStatus.ts"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import { Output, printJson, shownInline } from "../output/Output.ts"
import { renderTable } from "../output/Table.ts"
import { json } from "../CommonOptions.ts"
import { progressText, runElapsed, runJson, statusText } from "./RunReport.ts"

const status = Options.choice("status", RunStatus.literals).pipe(
  Options.withDescription("Only runs in this state"),
  Options.optional
)
const workflow = Options.text("workflow").pipe(
  Options.withDescription("Only runs of this workflow: its name, its key, or the tool that started it"),
  Options.optional
)
const limit = Options.integer("limit").pipe(Options.withDescription("How many to show"), Options.withDefault(20))
const offset = Options.integer("offset").pipe(Options.withDescription("How many to skip"), Options.withDefault(0))

export const list = Command.make("list", { status, workflow, limit, offset, json }, (options) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const page = yield* monitor.list({
      ...(Option.isSome(options.status) ? { status: options.status.value } : {}),
      ...(Option.isSome(options.workflow) ? { workflow: options.workflow.value } : {}),
      limit: Math.max(0, options.limit),
      offset: Math.max(0, options.offset)
    })
    if (options.json) {
      return yield* printJson({ runs: page.runs.map(runJson), total: page.total, warnings: page.warnings })
    }
    for (const warning of page.warnings) yield* output.report(output.errorStyle.yellow(`warning: ${warning}`))
    if (page.runs.length === 0) {
      const hint = page.total === 0 ? "Start one with 'conductor run <workflow>'." : `All ${page.total} are before this offset.`
      return yield* output.report(`No runs to show. ${hint}`)
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
      output.style.dim
    )
    yield* output.print(table)
    const shownUntil = options.offset + page.runs.length
    if (page.total > shownUntil) yield* output.report(`${page.total - shownUntil} more: --offset ${shownUntil}`)
  })
).pipe(Command.withDescription("List runs, newest first"))
