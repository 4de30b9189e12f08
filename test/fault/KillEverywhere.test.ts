/**
 * A run that uses everything is killed by SIGKILL behind each of its events, and goes on: to the same output, with no step
 * that finished repeated. `CONDUCTOR_FAULT_FULL=1` takes all events; otherwise a sample that is spread evenly.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isTerminalEvent, type RunEvent } from "../../src/domain/RunEvent.ts"
import type { RunId } from "../../src/domain/RunId.ts"
import { isTerminal } from "../../src/domain/RunStatus.ts"
import { Home } from "../../src/platform/Home.ts"
import { liveness } from "../../src/platform/ProcessIdentity.ts"
import { readHistory } from "../../src/runs/RunHistory.ts"
import { RunEntry } from "../../src/runs/RunEntry.ts"
import { RunInbox } from "../../src/runs/RunInbox.ts"
import { RunLauncher } from "../../src/runs/RunLauncher.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import { RunResumption } from "../../src/runs/RunResumption.ts"
import * as RunsLive from "../../src/runs/RunsLive.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { everythingModel } from "../support/fault/EverythingModel.ts"
import { killedRunProgram } from "../support/runs/RunProgram.ts"
import { detached } from "../support/runs/RunWorlds.ts"
import { requestFor, Workspace } from "../support/runs/Workspace.ts"

const file = join(import.meta.dirname, "../support/fault/everything/everything.yaml")

/** Boundaries that the suite tries. */
const SAMPLE = 9

/** The prompts of the workflow in their order, each with its number in the run. */
const answers = [
  ["ask", 1, "red", {}],
  ["ask", 2, "__free_text__", { answer: "by hand" }],
  ["ask", 3, "__finish__", {}],
  ["below/approve", 4, "yes", {}]
] as const

/** Whatever is asked later is answered already, and something is said that the run hears once. */
const attend = Effect.fn("attend")(function* (runId: RunId) {
  const inbox = yield* RunInbox
  for (const [path, number, selected, additional_input] of answers) {
    const prompt_id = `${path}:${runId}:${number}`
    yield* inbox.post(runId, { type: "gate_answer", agent_name: path, prompt_id, selected, additional_input })
  }
  yield* inbox.post(runId, { type: "guidance", text: "be quick" })
})

const launchAs = (mark: string) =>
  Effect.gen(function* () {
    const launcher = yield* RunLauncher
    // A process that is killed before it could say that it runs leaves its run behind all the same.
    const { runId } = yield* Effect.catchTag(
      launcher.launch(yield* requestFor(file, { mark })),
      "LaunchError",
      ({ message, runId }) => (runId === undefined ? Effect.dieMessage(message) : Effect.succeed({ runId }))
    )
    const view = yield* Effect.flatMap(RunMonitor, (monitor) => monitor.status(runId))
    yield* attend(view.runId)
    return view.runId
  })

/** Launches a run whose process dies behind the event. */
const launchDoomed = (mark: string, seq: number) =>
  Effect.gen(function* () {
    const entry = RunEntry.layerOf(process.execPath, [yield* killedRunProgram, String(seq)])
    const home = Layer.succeed(Home, yield* Home)
    return yield* launchAs(mark).pipe(Effect.provide(Layer.provide(RunsLive.layer, Layer.merge(entry, home))))
  })

const untilDead = (runId: RunId) =>
  Effect.flatMap(RunStore, (store) => store.process(runId)).pipe(
    Effect.flatMap(Option.match({ onNone: () => Effect.succeed("gone"), onSome: ({ process }) => liveness(process) })),
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (state) => state === "gone" })
  )

const untilOver = (runId: RunId) =>
  Effect.flatMap(RunMonitor, (monitor) =>
    monitor.watch(runId).pipe(
      Stream.filter(({ status }) => isTerminal(status)),
      Stream.runHead,
      Effect.flatten,
      // One that waits for a person does so for ever: all answers were given before.
      Effect.timeout("2 minutes")
    )
  )

const keyOf = ({ data }: RunEvent): string => {
  const { group_name: group, index, subworkflow_path: path = [] } = data
  const node = "agent_name" in data ? data.agent_name : undefined
  return [...path, group, index, node].filter((word) => word !== undefined && word !== null).join("/")
}

const ENDS =
  /^(?:(?:agent|script|set|wait|questions|subworkflow|parallel|for_each|parallel_agent|for_each_item)_completed|gate_resolved|for_each_skipped|for_each_item_failed)$/

/** A member of a group has finished when the group says so, and not before. */
const isOfMember = ({ data, type }: RunEvent): boolean =>
  data.group_name !== undefined && /^(?:set|subworkflow)_completed$/.test(type)

/** In no order: members of groups take turns as they like. */
const finished = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events
    .filter((event) => ENDS.test(event.type) && !isOfMember(event))
    .map((event) => `${event.type} ${keyOf(event)}`)
    .toSorted()

const started = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events
    .filter(({ type }) => /^(?:agent|parallel_agent|for_each_item)_started$/.test(type))
    .map(keyOf)
    .toSorted()

const count = (words: ReadonlyArray<string>, word: string): number => words.filter((other) => other === word).length

const traceOf = (mark: string) =>
  Effect.map(Workspace, ({ folder }) =>
    readFileSync(join(folder, `trace-${mark}`), "utf8")
      .trim()
      .split("\n")
      .toSorted()
  )

const spread = (length: number): ReadonlyArray<number> => {
  const all = Array.from({ length }, (_, index) => index + 1)
  if (process.env["CONDUCTOR_FAULT_FULL"] === "1") return all
  return Array.from({ length: SAMPLE }, (_, index) => Math.round(1 + (index * (length - 1)) / (SAMPLE - 1)))
}

describe("a run that uses everything", () => {
  it.scopedLive(
    "and is killed behind any of its events goes on to the same end, and repeats at most what was cut off",
    () =>
      Effect.gen(function* () {
        yield* everythingModel
        mkdirSync((yield* Home).runs, { recursive: true })
        const whole = yield* launchAs("whole")
        const end = yield* untilOver(whole)
        const events = yield* readHistory(whole)
        expect(end).toMatchObject({ status: "completed" })
        const trace = yield* traceOf("whole")
        // The last event is the end of the run: nothing of it is left.
        const boundaries = spread(events.length - 1)
        yield* Effect.forEach(
          boundaries,
          Effect.fnUntraced(function* (seq) {
            const mark = `cut-${seq}`
            const runId = yield* launchDoomed(mark, seq)
            yield* untilDead(runId)
            const before = yield* readHistory(runId)
            expect({ seq, length: before.length }).toEqual({ seq, length: seq })
            yield* Effect.flatMap(RunResumption, (resumption) =>
              resumption.resume(runId, { acceptChange: false, groups: "continue" })
            )
            const view = yield* untilOver(runId)
            const { error, output, status } = view
            const said = JSON.parse(JSON.stringify(end.output).replaceAll("whole", mark))
            expect({ seq, status, error, output }).toEqual({ seq, status: "completed", error: undefined, output: said })
            const after = yield* readHistory(runId)
            expect({ seq, finished: finished(after) }).toEqual({ seq, finished: finished(events) })
            const [wanted, got] = [started(events), started(after)]
            for (const step of new Set([...wanted, ...got])) {
              const extra = count(got, step) - count(wanted, step)
              expect({ seq, step, extra: Math.max(0, Math.min(1, extra)) }).toEqual({ seq, step, extra })
            }
            const traced = yield* traceOf(mark)
            expect({ seq, traced: [...new Set(traced)] }).toEqual({ seq, traced: [...new Set(trace)] })
            // Two items of a group may have been at it.
            expect(traced.length).toBeLessThanOrEqual(trace.length + 2)
            expect({ seq, heard: after.filter(({ type }) => type === "guidance_applied").length }).toEqual({
              seq,
              heard: 1
            })
            expect(after.filter(isTerminalEvent)).toHaveLength(1)
          }),
          { concurrency: 4, discard: true }
        )
      }).pipe(Effect.provide(detached)),
    1_800_000
  )
})
