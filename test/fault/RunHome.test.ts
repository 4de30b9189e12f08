/** Runs outlive who started them, share their home with many, and survive a home that fails. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Schedule, Stream } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../src/platform/Home.ts"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunEntry } from "../../src/runs/RunEntry.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import * as RunsLive from "../../src/runs/RunsLive.ts"
import { RunLauncher } from "../../src/runs/RunLauncher.ts"
import { launch } from "../support/runs/Launches.ts"
import { launchProgram, runProgram } from "../support/runs/RunProgram.ts"
import { detached } from "../support/runs/RunWorlds.ts"
import { remountReadOnly, smallDisk } from "../support/runs/SmallDisk.ts"
import { greeting, scripted } from "../support/runs/Workflows.ts"
import { requestFor, Workspace } from "../support/runs/Workspace.ts"

/** Another process that starts a run; ends with the run's id as soon as that process has it. */
const launchElsewhere = (text: string, then: "leave" | "stay") =>
  Effect.gen(function* () {
    const { folder, write } = yield* Workspace
    const { root } = yield* Home
    const file = yield* write("example.yaml", text)
    const [launcher, run] = yield* Effect.all([launchProgram, runProgram])
    const child = spawn(process.execPath, [launcher, root, run, file, folder, then], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true
    })
    const [line] = yield* Effect.promise(() => once(child.stdout, "data"))
    return { child: child as ChildProcess, runId: String(line).trim() }
  })

const awaitExit = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    return child.exitCode
  })

const outlived = scripted("sleep 1; echo outlived")

describe("a run outlives", () => {
  it.live("a launcher that leaves at once, which nothing of the run holds back", () =>
    Effect.gen(function* () {
      const { child, runId } = yield* launchElsewhere(scripted("sleep 5; echo outlived"), "leave")
      expect(yield* awaitExit(child)).toBe(0)
      expect(yield* Effect.flatMap(RunMonitor, (monitor) => monitor.status(runId))).toMatchObject({ status: "running" })
      expect(yield* awaitRun(runId, "30 seconds")).toMatchObject({
        status: "completed",
        output: { said: "outlived\n" }
      })
    }).pipe(Effect.provide(detached))
  )

  it.live("a launcher that is killed with its whole process group", () =>
    Effect.gen(function* () {
      const { child, runId } = yield* launchElsewhere(outlived, "stay")
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      yield* awaitExit(child)
      expect(yield* awaitRun(runId, "30 seconds")).toMatchObject({
        status: "completed",
        output: { said: "outlived\n" }
      })
    }).pipe(Effect.provide(detached))
  )
})

describe("two servers on one home", () => {
  it.live("both know every run, and nobody is warned", () =>
    Effect.gen(function* () {
      const home = yield* Home
      const entry = yield* RunEntry
      const server = Layer.provide(
        RunsLive.layer,
        Layer.merge(Layer.succeed(Home, home), Layer.succeed(RunEntry, entry))
      )
      const { write } = yield* Workspace
      const request = yield* requestFor(yield* write("example.yaml", greeting), { who: "Ada" })
      const work = Effect.gen(function* () {
        const launcher = yield* RunLauncher
        const monitor = yield* RunMonitor
        const started = yield* Effect.forEach(Array.from({ length: 6 }), () =>
          Effect.zipLeft(
            launcher.launch(request),
            Effect.filterOrDieMessage(
              monitor.list({ limit: 50, offset: 0 }),
              ({ warnings }) => warnings.length === 0,
              "a list with warnings"
            )
          )
        )
        return started.map(({ runId }) => runId)
      })
      const [mine, theirs] = yield* Effect.all(
        [Effect.provide(work, server), Effect.provide(work, Layer.fresh(server))],
        {
          concurrency: "unbounded"
        }
      )
      const monitor = yield* RunMonitor
      yield* Effect.forEach([...mine, ...theirs], (runId) => Stream.runDrain(monitor.watch(runId)))
      const page = yield* monitor.list({ limit: 50, offset: 0, status: "completed" })
      expect(page).toMatchObject({ total: 12, warnings: [] })
      expect(page.runs.map(({ runId }) => runId).sort()).toEqual([...mine, ...theirs].sort())
    }).pipe(Effect.provide(detached))
  )
})

/** The same services with their home on a disk of its own. */
const onDisk = (folder: string) =>
  RunsLive.layer.pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(Effect.map(runProgram, (script) => RunEntry.layerOf(process.execPath, [script])))
    ),
    Layer.provideMerge(Home.layerAt(join(folder, "home"))),
    Layer.provideMerge(Workspace.layer)
  )

describe("a home", () => {
  it.scopedLive("on a disk that fills up keeps its run going, and the run says so once there is room", ({ skip }) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk("4m")
      if (disk._tag === "Unavailable") return skip(`no small disk here: ${disk.reason}`)
      yield* Effect.gen(function* () {
        const { folder } = yield* Workspace
        const view = yield* launch(scripted("until [ -e go ]; do sleep 0.1; done; yes | head -c 300000"))
        const ballast = join(disk.folder, "ballast")
        yield* Effect.ignore(Effect.try(() => writeFileSync(ballast, Buffer.alloc(8_000_000))))
        writeFileSync(join(folder, "go"), "")
        // It says so at once where a person would look, and goes on.
        yield* Effect.sync(() => readFileSync(view.files.events, "utf8")).pipe(
          Effect.repeat({ until: (text) => text.endsWith("\n") === false, schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("10 seconds")
        )
        expect(yield* awaitRun(view.runId, "1 second")).toMatchObject({ status: "running" })
        rmSync(ballast)
        const end = yield* awaitRun(view.runId, "30 seconds")
        expect(end.status).toBe("completed")
        expect(end.warnings).toEqual([expect.stringContaining("ENOSPC")])
      }).pipe(Effect.provide(onDisk(disk.folder)))
    })
  )

  it.scopedLive("that is full or read-only refuses a launch with the reason, and still shows its runs", ({ skip }) =>
    Effect.gen(function* () {
      const disk = yield* smallDisk("4m")
      if (disk._tag === "Unavailable") return skip(`no small disk here: ${disk.reason}`)
      yield* Effect.gen(function* () {
        const monitor = yield* RunMonitor
        const { runId } = yield* launch(greeting, { who: "Ada" })
        yield* Stream.runDrain(monitor.watch(runId))
        const pid = (yield* monitor.status(runId)).pid
        expect(pid).toBeUndefined()
        yield* Effect.retry(remountReadOnly(disk.folder).pipe(Effect.sandbox), Schedule.spaced("100 millis"))
        const error = yield* Effect.flip(launch(greeting, { who: "Ada" }))
        expect(error).toMatchObject({ reason: "storage", message: expect.stringContaining("EROFS") })
        expect(yield* monitor.status(runId)).toMatchObject({ status: "completed", output: { text: "Hello Ada" } })
        expect(yield* monitor.list({ limit: 10, offset: 0 })).toMatchObject({ total: 1, runs: [{ runId }] })
      }).pipe(Effect.provide(onDisk(disk.folder)))
    })
  )
})
