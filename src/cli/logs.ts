/** `conductor logs <run>`: the events of a run, and what its process wrote. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Command, Options } from "@effect/cli"
import { Effect, Option, Stream } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import { isMap, stringifyJson, type Value } from "../domain/Value.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import { json, runId } from "./CommonOptions.ts"
import { Output, shown, shownInline } from "./output/Output.ts"
import type { Style } from "./output/Style.ts"

const follow = Options.boolean("follow").pipe(Options.withAlias("f"), Options.withDescription("Wait for new events"))
const process = Options.choice("process", ["stdout", "stderr"]).pipe(
  Options.withDescription("Show what the run's process wrote to this stream, not its events"),
  Options.optional
)

const brief = (value: Value): string => {
  const text = shownInline(typeof value === "string" ? value : stringifyJson(value))
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}

/** Time, type, and the data that fits on a line. */
export const eventLine = (event: RunEvent, style: Style): string => {
  const data = event.data as unknown as Value
  const details = isMap(data)
    ? Object.entries(data)
        .filter(([, value]) => value !== null && !(isMap(value) && Object.keys(value).length === 0))
        .slice(0, 6)
        .map(([key, value]) => `${style.dim(`${key}=`)}${brief(value)}`)
        .join(" ")
    : ""
  const time = new Date(event.timestamp * 1000).toISOString().slice(11, 23)
  return `${style.dim(time)} ${String(event.seq).padStart(4)} ${style.bold(event.type)} ${details}`.trimEnd()
}

export const logs = Command.make("logs", { run: runId, follow, process, json }, (options) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const view = yield* monitor.status(options.run)
    if (Option.isSome(options.process)) {
      const files = yield* FileSystem
      const text = yield* files.readFileString(view.files[options.process.value]).pipe(Effect.orElseSucceed(() => ""))
      return yield* output.print(shown(text.trimEnd()))
    }
    const events = monitor.events(options.run, 1)
    const last = view.lastEvent?.seq ?? 0
    const bounded =
      options.follow || isTerminal(view.status) ? events : events.pipe(Stream.takeUntil((event) => event.seq >= last))
    if (last === 0 && !options.follow) return
    yield* bounded.pipe(
      Stream.runForEach((event) =>
        output.print(options.json ? stringifyJson(event as unknown as Value) : eventLine(event, output.style))
      )
    )
  })
).pipe(Command.withDescription("Show the events of a run, or what its process wrote"))
