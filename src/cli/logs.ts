/** `conductor logs <run>`: the events of a run, or what its process wrote. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Stream } from "effect"
import { eventData } from "../domain/RunEvent.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import type { RunView } from "../runs/RunView.ts"
import { failed, misused } from "./CliFailure.ts"
import { Output, printJsonLine, shown } from "./output/Output.ts"
import { eventLine } from "./runs/EventLine.ts"
import { suggestRun } from "./runs/SuggestRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

type LogsCall = Call<Verbs["logs"]>

const printProcessLog = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem
    const output = yield* Output
    const text = yield* Effect.mapError(files.readFileString(path), ({ message }) =>
      failed(`${path} cannot be read: ${message}`)
    )
    if (text !== "") yield* output.print(shown(text.trimEnd()))
  })

/** All events so far or, when asked to follow, all until the run ends. */
const eventsOf = ({ lastEvent, runId, status }: RunView, { follow }: LogsCall) =>
  Effect.map(RunMonitor, (monitor) => {
    if (follow || isTerminal(status)) return monitor.events(runId, 1)
    if (lastEvent === undefined) return Stream.empty
    return monitor.events(runId, 1).pipe(Stream.takeUntil(({ seq }) => seq >= lastEvent.seq))
  })

export const logs = (options: LogsCall) =>
  Effect.gen(function* () {
    if (options.process !== undefined && (options.follow || options.json)) {
      return yield* misused("--process prints the text as it is: leave out --follow and --json.")
    }
    const monitor = yield* RunMonitor
    const output = yield* Output
    const view = yield* suggestRun(monitor.status(options.run))
    if (options.process !== undefined) return yield* printProcessLog(view.files[options.process])
    const events = yield* eventsOf(view, options)
    yield* Stream.runForEach(events, (event) =>
      options.json ? printJsonLine({ ...event, data: eventData(event) }) : output.print(eventLine(event, output.style))
    )
  })
