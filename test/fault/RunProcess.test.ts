/** Runs as processes: what happens to them, and to what is told of them, when somebody dies at the wrong moment. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Fiber, Layer, Option, Random, Schedule, Stream } from "effect"
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { Home } from "../../src/platform/Home.ts"
import { identify, liveness } from "../../src/platform/ProcessIdentity.ts"
import { findByRun } from "../../src/platform/ProcessMarker.ts"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { StartTimeout } from "../../src/runs/ProvenStart.ts"
import { RunCancellation } from "../../src/runs/RunCancellation.ts"
import { RunEntry } from "../../src/runs/RunEntry.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import * as RunsLive from "../../src/runs/RunsLive.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import type { RunView } from "../../src/runs/RunView.ts"
import { launch } from "../support/runs/Launches.ts"
import { detached } from "../support/runs/RunWorlds.ts"
import { greeting, long, scripted } from "../support/runs/Workflows.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const pidOf = ({ pid }: RunView): Effect.Effect<number> =>
  pid === undefined ? Effect.dieMessage("the run has no process") : Effect.succeed(pid)

const signalRun = (view: RunView, signal: NodeJS.Signals) => Effect.map(pidOf(view), (pid) => process.kill(pid, signal))

const cancel = (runId: string) =>
  Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "a test"))
const statusOf = (runId: string) => Effect.flatMap(RunMonitor, (monitor) => monitor.status(runId))
const untilOver = (runId: string) => Effect.flatMap(RunMonitor, (monitor) => Stream.runLast(monitor.watch(runId)))

const untilStep = (runId: string, type: string) =>
  Effect.flatMap(RunMonitor, (monitor) =>
    monitor.events(runId, 1).pipe(
      Stream.takeUntil((event) => event.type === type),
      Stream.runDrain
    )
  )

/** Loops over short scripts, so that something is written all the time. */
const busy = `
workflow:
  name: busy
  entry_point: work
  limits: { max_iterations: 400 }
agents:
  - name: work
    type: script
    command: sh
    args: ["-c", "printf '{\\"n\\": 1}'"]
    routes: [{ to: work }]
`

/** Leaves a process behind that has its own session, and tells its number. */
const withDaemon = scripted("setsid sleep 60 & echo $! > daemon.pid; exec sleep 60")

describe("a run that is killed", () => {
  it.live("at any moment is lost, with every line of its log whole and numbered", () =>
    Effect.gen(function* () {
      for (const _ of Array.from({ length: 6 })) {
        const view = yield* launch(busy)
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 600))
        yield* signalRun(view, "SIGKILL")
        const end = Option.getOrThrow(yield* untilOver(view.runId))
        expect(end.status).toBe("lost")
        expect(end.error?.message).toMatch(/Its last event is \w+ \(number \d+/)
        const events = yield* Effect.flatMap(RunMonitor, (monitor) => Stream.runCollect(monitor.events(view.runId, 1)))
        const numbers = Chunk.toReadonlyArray(events).map(({ seq }) => seq)
        expect(numbers).toEqual(numbers.map((_, index) => index + 1))
      }
    }).pipe(Effect.provide(detached))
  )

  it.live("takes what its steps left running with it", () =>
    Effect.gen(function* () {
      const { folder } = yield* Workspace
      const view = yield* launch(withDaemon)
      const daemon = yield* Effect.sync(() => Number(readFileSync(`${folder}/daemon.pid`, "utf8"))).pipe(
        Effect.filterOrFail((pid) => pid > 0),
        Effect.sandbox,
        Effect.retry(Schedule.spaced("20 millis"))
      )
      const identity = yield* Effect.filterOrDieMessage(identify(daemon), (found) => found !== undefined, "no daemon")
      yield* signalRun(view, "SIGKILL")
      yield* untilOver(view.runId)
      yield* Effect.repeat(liveness(identity), {
        until: (state) => state === "gone",
        schedule: Schedule.spaced("20 millis")
      })
      expect(findByRun(view.runId)).toEqual([])
    }).pipe(Effect.provide(detached))
  )

  it.live("is lost for every other process that asks, and in every list", () =>
    Effect.gen(function* () {
      const view = yield* launch(long)
      yield* signalRun(view, "SIGKILL")
      yield* untilOver(view.runId)
      const elsewhere = Effect.gen(function* () {
        const monitor = yield* RunMonitor
        const listed = yield* monitor.list({ limit: 10, offset: 0, status: "lost" })
        return { view: yield* monitor.status(view.runId), listed }
      })
      const home = yield* Home
      const answers = yield* Effect.provide(
        elsewhere,
        RunsLive.layerRecords.pipe(Layer.provide(Layer.succeed(Home, home)))
      )
      expect(answers.view.status).toBe("lost")
      expect(answers.listed).toMatchObject({ total: 1, runs: [{ runId: view.runId, error: { type: "Lost" } }] })
    }).pipe(Effect.provide(detached))
  )
})

describe("a run that is told to end by a signal", () => {
  it.live.each(["SIGTERM", "SIGINT"] as const)("%s is cancelled, and its script is gone", (signal) =>
    Effect.gen(function* () {
      const view = yield* launch(long)
      yield* untilStep(view.runId, "script_started")
      yield* signalRun(view, signal)
      const end = Option.getOrThrow(yield* untilOver(view.runId))
      expect(end).toMatchObject({ status: "cancelled", error: { message: `Its process received ${signal}.` } })
      expect(findByRun(view.runId)).toEqual([])
    }).pipe(Effect.provide(detached))
  )

  it.live("SIGHUP goes on", () =>
    Effect.gen(function* () {
      const view = yield* launch(scripted("sleep 1; echo done"))
      yield* signalRun(view, "SIGHUP")
      expect(yield* awaitRun(view.runId, "20 seconds")).toMatchObject({
        status: "completed",
        output: { said: "done\n" }
      })
    }).pipe(Effect.provide(detached))
  )
})

describe("cancelling", () => {
  it.live("a run whose inbox cannot be written takes a TERM signal", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const view = yield* launch(long)
      mkdirSync(store.files(view.runId).control)
      expect(yield* cancel(view.runId)).toMatchObject({
        _tag: "Cancelled",
        rung: "terminate",
        view: { status: "cancelled" }
      })
    }).pipe(Effect.provide(detached))
  )

  it.live("a run that does not answer takes a KILL signal, and its log says that it was cancelled", () =>
    Effect.gen(function* () {
      const view = yield* launch(long)
      yield* untilStep(view.runId, "script_started")
      yield* signalRun(view, "SIGSTOP")
      expect(yield* cancel(view.runId)).toMatchObject({
        _tag: "Cancelled",
        rung: "kill",
        view: { status: "cancelled", lastEvent: { type: "workflow_cancelled" } }
      })
      expect(findByRun(view.runId)).toEqual([])
    }).pipe(Effect.provide(detached))
  )

  it.live("a run whose script ignores TERM and hides in its own session leaves nothing", () =>
    Effect.gen(function* () {
      const view = yield* launch(scripted("trap '' TERM; setsid sh -c \"trap '' TERM; sleep 60\" & sleep 60; sleep 60"))
      yield* untilStep(view.runId, "script_started")
      expect(yield* cancel(view.runId)).toMatchObject({ _tag: "Cancelled", rung: "inbox" })
      expect(findByRun(view.runId)).toEqual([])
    }).pipe(Effect.provide(detached))
  )

  it.live("never signals a process that only has the number of the run's", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const view = yield* launch(long)
      const pid = yield* pidOf(view)
      const record = Option.getOrThrow(yield* store.process(view.runId))
      const other = { ...record, process: { ...record.process, startTime: "1" } }
      yield* store.recordProcess(view.runId, other)
      expect(yield* cancel(view.runId)).toMatchObject({ _tag: "AlreadyFinished", view: { status: "lost" } })
      expect(yield* liveness(record.process)).toBe("alive")
      process.kill(pid, "SIGKILL")
    }).pipe(Effect.provide(detached))
  )
})

const entry = (command: string, ...args: ReadonlyArray<string>) =>
  RunsLive.layer.pipe(
    Layer.provideMerge(RunEntry.layerOf(command, args)),
    Layer.provideMerge(homeInWorkspace),
    Layer.provideMerge(Workspace.layer)
  )

const folders = Effect.map(Home, ({ runs }) => readdirSync(runs))

describe("a launch whose process", () => {
  it.live("dies fails with its exit code and last words, and leaves no run", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(launch(greeting, { who: "Ada" }))
      expect(error).toMatchObject({ reason: "process", logs: "boom" })
      expect(error.message).toContain("exited with code 7")
      expect(yield* folders).toEqual([])
    }).pipe(Effect.provide(entry(process.execPath, "-e", "console.error('boom'); process.exit(7)")))
  )

  it.live("cannot be started fails with the reason, and leaves no run", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(launch(greeting, { who: "Ada" }))
      expect(error).toMatchObject({ reason: "process", message: expect.stringContaining("/no/such/program") })
      expect(yield* folders).toEqual([])
    }).pipe(Effect.provide(entry("/no/such/program")))
  )

  const silent = entry(
    process.execPath,
    "-e",
    "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)"
  )
  const silentPid = Effect.flatMap(Workspace, ({ folder }) =>
    Effect.sync(() => Number(readFileSync(`${folder}/pid`, "utf8"))).pipe(
      Effect.filterOrFail((pid) => pid > 0),
      Effect.sandbox,
      Effect.retry(Schedule.spaced("20 millis"))
    )
  )

  /** A process that was sent a KILL takes a moment on a busy machine; one that was not fails here. */
  const untilGone = (pid: number) =>
    Effect.repeat(identify(pid), {
      schedule: Schedule.spaced("20 millis"),
      until: (identity) => identity === undefined
    }).pipe(Effect.timeout("2 seconds"))

  it.live("says nothing for too long is stopped, and leaves no run", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(launch(greeting, { who: "Ada" }))
      expect(error).toMatchObject({ reason: "process", message: expect.stringContaining("said nothing for too long") })
      yield* untilGone(yield* silentPid)
      expect(yield* folders).toEqual([])
    }).pipe(Effect.provide(Layer.provideMerge(silent, Layer.succeed(StartTimeout, "1 second"))))
  )

  it.live("nobody waits for any more is killed, and leaves no run", () =>
    Effect.gen(function* () {
      const launching = yield* Effect.fork(launch(greeting, { who: "Ada" }))
      const pid = yield* silentPid
      const exit = yield* Fiber.interrupt(launching)
      expect(Exit.isInterrupted(exit)).toBe(true)
      yield* untilGone(pid)
      expect(yield* folders).toEqual([])
    }).pipe(Effect.provide(silent))
  )
})

describe("a log that somebody else wrote into", () => {
  it.live("loses nothing but the line, and the run says so", () =>
    Effect.gen(function* () {
      const view = yield* launch(greeting, { who: "Ada" })
      yield* untilOver(view.runId)
      appendFileSync(view.files.events, "garbage\n")
      const after = yield* statusOf(view.runId)
      expect(after).toMatchObject({ status: "completed", warnings: [expect.stringContaining('"garbage"')] })
    }).pipe(Effect.provide(detached))
  )
})
