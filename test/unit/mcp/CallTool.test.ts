import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { pinOf } from "../../../src/domain/Pin.ts"
import { makeProgressReport } from "../../../src/mcp/Progress.ts"
import type { ToolResult } from "../../../src/mcp/ToolSurface.ts"
import { view } from "./Samples.ts"
import { call, secret, testServer } from "./TestServer.ts"

const runIdOf = (result: ToolResult): string => String(result.structuredContent["run_id"])
const statusOf = (result: ToolResult): unknown => result.structuredContent["status"]
const errorOf = (result: ToolResult) => result.structuredContent["error"] as { type: string; message: string }

const turnOfEventLoop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Lets time pass as it does outside of tests: not in one leap, in which a fiber that sleeps often would miss a beat. */
const pass = (seconds: number) =>
  Effect.repeatN(Effect.zipLeft(TestClock.adjust("100 millis"), turnOfEventLoop), Math.round(seconds * 10) - 1)

/** Starting reads real files, which takes real time; only then does the clock of the test matter. */
const hasStarted = call("conductor_list_runs").pipe(
  Effect.zipLeft(turnOfEventLoop),
  Effect.repeat({ until: ({ text }) => /"step":|"status":"(?!running)/.test(text) })
)

/** The result of a call that starts a run, or follows one, during which this much time passes. */
const during = <A, E, R>(effect: Effect.Effect<A, E, R>, time: Duration.DurationInput) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* hasStarted
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  })

describe("starting a run", () => {
  it.effect("an asynchronous workflow answers with a handle at once", () =>
    Effect.gen(function* () {
      const result = yield* call("told", { seconds: 5 })
      expect(statusOf(result)).toBe("running")
      expect(runIdOf(result)).toMatch(/^[0-9a-f]{10}$/)
      expect(result.structuredContent["workflow"]).toMatchObject({ name: "told", registry: "examples" })
      expect(result.structuredContent).not.toHaveProperty("url")
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a synchronous workflow answers with its result", () =>
    Effect.gen(function* () {
      const result = yield* during(call("told_sync", { seconds: 5, output: { sum: 3 } }), "5 seconds")
      expect(result.structuredContent).toMatchObject({ status: "completed", output: { sum: 3 } })
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("_wait_seconds: 0 gives a handle even for a synchronous workflow", () =>
    Effect.gen(function* () {
      expect(statusOf(yield* call("told_sync", { seconds: 5, _wait_seconds: 0 }))).toBe("running")
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a wait that is over before the run says that the run goes on", () =>
    Effect.gen(function* () {
      const result = yield* during(call("told", { seconds: 9, _wait_seconds: 3 }), "3 seconds")
      expect(statusOf(result)).toBe("running")
      expect(result.isError).toBe(false)
      expect(result.structuredContent["progress"]).toMatchObject({ steps_total: 9 })
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a wait is cut to what the host can bear", () =>
    Effect.gen(function* () {
      const client = { name: "claude-ai", version: "1" }
      const result = yield* during(call("told", { seconds: 90, _wait_seconds: 80 }, { client }), "45 seconds")
      expect(statusOf(result)).toBe("running")
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a run that fails is an answer, not an error of the call", () =>
    Effect.gen(function* () {
      const result = yield* call("told_sync", { fail: "exit code 7" })
      expect(result.isError).toBe(false)
      expect(statusOf(result)).toBe("failed")
      expect(errorOf(result)).toEqual({ type: "ScriptError", message: "exit code 7", step: "step 1" })
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("wrong arguments are all named, start nothing, and say how to go on", () =>
    Effect.gen(function* () {
      const result = yield* call("told", { second: 5, fail: 7 })
      expect(result.isError).toBe(true)
      expect(errorOf(result).message).toContain("'second' is not a parameter")
      expect(errorOf(result).message).toContain("'fail' must be string, not number")
      expect(result.structuredContent["next"]).toContain("Correct the arguments")
      expect((yield* call("conductor_list_runs")).structuredContent["total"]).toBe(0)
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a workflow file that changed since it was read is not run", () =>
    Effect.gen(function* () {
      const result = yield* call("told")
      expect(result.isError).toBe(true)
      expect(errorOf(result).message).toContain("has changed since it was pinned")
      expect(result.structuredContent["next"]).toContain("restart the server")
    }).pipe(Effect.provide(testServer({ entries: [{ tool: "told", pin: pinOf("another file") }] })))
  )

  it.effect("the run remembers which tool and which client asked for it", () =>
    Effect.gen(function* () {
      yield* call("told", {}, { client: { name: "codex-mcp-client", version: "0.171" } })
      const { structuredContent } = yield* call("conductor_list_runs", { workflow: "told" })
      expect(structuredContent["runs"]).toMatchObject([{ tool: "told", status: "completed" }])
    }).pipe(Effect.provide(testServer()))
  )
})

describe("giving up a call", () => {
  it.effect("ends the wait and leaves the run alone", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(call("told", { seconds: 5, _wait_seconds: 5 }))
      yield* hasStarted
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.interrupt(fiber)
      const listed = yield* call("conductor_list_runs", { status: "running" })
      expect(listed.structuredContent["total"]).toBe(1)
      yield* TestClock.adjust("3 seconds")
      expect((yield* call("conductor_list_runs", { status: "completed" })).structuredContent["total"]).toBe(1)
    }).pipe(Effect.provide(testServer()))
  )
})

describe("following a run", () => {
  it.effect("await returns as soon as the run ends", () =>
    Effect.gen(function* () {
      const run_id = runIdOf(yield* call("told", { seconds: 3, output: { ok: true } }))
      const result = yield* during(call("conductor_await_run", { run_id, wait_seconds: 40 }), "3 seconds")
      expect(result.structuredContent).toMatchObject({ run_id, status: "completed", output: { ok: true } })
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("await without a time waits 45 seconds and then says that the run goes on", () =>
    Effect.gen(function* () {
      const run_id = runIdOf(yield* call("told", { seconds: 90 }))
      const result = yield* during(call("conductor_await_run", { run_id }), "45 seconds")
      expect(statusOf(result)).toBe("running")
      expect(result.structuredContent["next"]).toContain("conductor_await_run")
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("with --max-wait-seconds 0 nothing waits", () =>
    Effect.gen(function* () {
      const started = yield* call("told_sync", { seconds: 5 })
      expect(statusOf(started)).toBe("running")
      const awaited = yield* call("conductor_await_run", { run_id: runIdOf(started), wait_seconds: 10 })
      expect(statusOf(awaited)).toBe("running")
    }).pipe(Effect.provide(testServer({ options: { maxWaitSeconds: 0 } })))
  )

  it.effect("status reads a large output in parts, to the end", () =>
    Effect.gen(function* () {
      const output = { text: "→".repeat(20_000) }
      const run_id = runIdOf(yield* call("told_sync", { output }))
      let read = ""
      let output_offset: number | undefined = 0
      while (output_offset !== undefined) {
        const result: ToolResult = yield* call("conductor_run_status", { run_id, output_offset, output_limit: 25_000 })
        const part = result.structuredContent["output_preview"] as { text: string; next_offset?: number }
        read += part.text
        output_offset = part.next_offset
      }
      expect(JSON.parse(read)).toEqual(output)
    }).pipe(Effect.provide(testServer()))
  )

  for (const tool of ["conductor_await_run", "conductor_run_status", "conductor_cancel_run"]) {
    it.effect(`${tool}: an unknown run is an error that names the way to the known ones`, () =>
      Effect.gen(function* () {
        for (const run_id of ["nobody", "../../etc/passwd", "*", ""]) {
          const result = yield* call(tool, { run_id })
          expect(result.isError).toBe(true)
          expect(errorOf(result).type).toBe("RunNotFound")
          expect(result.structuredContent["next"]).toContain("conductor_list_runs")
        }
      }).pipe(Effect.provide(testServer()))
    )
  }

  it.effect("a secret that a run puts out does not reach the model", () =>
    Effect.gen(function* () {
      const result = yield* call("told_sync", { output: { token: secret }, fail: `with ${secret}` })
      expect(JSON.stringify(result)).not.toContain(secret)
      expect(errorOf(result).message).toBe("with [REDACTED:secret]")
    }).pipe(Effect.provide(testServer()))
  )
})

describe("cancelling a run", () => {
  it.effect("ends it, and says what it took", () =>
    Effect.gen(function* () {
      const run_id = runIdOf(yield* call("told", { seconds: 60 }))
      const result = yield* call("conductor_cancel_run", { run_id })
      expect(result.structuredContent).toMatchObject({
        status: "cancelled",
        cancellation: { outcome: "cancelled", rung: "inbox" }
      })
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("a run that has ended already is told apart from one that was cancelled", () =>
    Effect.gen(function* () {
      const run_id = runIdOf(yield* call("told_sync", { output: { ok: true } }))
      const result = yield* call("conductor_cancel_run", { run_id })
      expect(result.isError).toBe(false)
      expect(result.structuredContent).toMatchObject({
        status: "completed",
        cancellation: { outcome: "already_finished" }
      })
    }).pipe(Effect.provide(testServer()))
  )
})

describe("a limit of living runs", () => {
  it.effect("refuses one too many, says what to do, and starts again when there is room", () =>
    Effect.gen(function* () {
      yield* call("told", { seconds: 5 })
      const refused = yield* call("told", { seconds: 5 })
      expect(refused.isError).toBe(true)
      expect(errorOf(refused).type).toBe("TooManyRuns")
      expect(refused.structuredContent["next"]).toContain("conductor_cancel_run")
      yield* TestClock.adjust("5 seconds")
      expect(statusOf(yield* call("told", { seconds: 5 }))).toBe("running")
    }).pipe(Effect.provide(testServer({ options: { maxConcurrentRuns: 1 } })))
  )

  it.effect("holds for starts at the same moment", () =>
    Effect.gen(function* () {
      const results = yield* Effect.all(
        Array.from({ length: 8 }, () => call("told", { seconds: 5 })),
        { concurrency: "unbounded" }
      )
      expect(results.filter(({ isError }) => !isError)).toHaveLength(3)
    }).pipe(Effect.provide(testServer({ options: { maxConcurrentRuns: 3 } })))
  )
})

describe("discovery", () => {
  const discovery = testServer({
    mode: "discovery",
    entries: Array.from({ length: 60 }, (_, index) => ({
      tool: `told_${String(index).padStart(2, "0")}`,
      mode: "async" as const,
      description: index === 33 ? "Count whales." : "Tell something."
    }))
  })

  it.effect("finds by words, and pages through all", () =>
    Effect.gen(function* () {
      const found = yield* call("conductor_find_workflow", { query: "whales count" })
      expect(found.structuredContent).toMatchObject({ total: 1, workflows: [{ name: "told_33" }] })
      const names = new Set<unknown>()
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const page: ToolResult = yield* call("conductor_find_workflow", { offset, limit: 25 })
        const workflows = page.structuredContent["workflows"] as ReadonlyArray<{ name: string }>
        for (const { name } of workflows) names.add(name)
        offset = page.structuredContent["next_offset"] as number | undefined
      }
      expect(names.size).toBe(60)
    }).pipe(Effect.provide(discovery))
  )

  it.effect("runs what it found, with inputs checked by the workflow's own schema", () =>
    Effect.gen(function* () {
      const ok = yield* call("conductor_run_workflow", {
        name: "told_07",
        inputs: { output: { n: 7 } },
        _wait_seconds: 5
      })
      expect(ok.structuredContent).toMatchObject({ status: "completed", output: { n: 7 } })
      const wrong = yield* call("conductor_run_workflow", { name: "told_07", inputs: { seconds: "5" } })
      expect(errorOf(wrong).message).toContain("'seconds' must be number, not string")
    }).pipe(Effect.provide(discovery))
  )

  it.effect("names that are paths, or nearly right, start nothing", () =>
    Effect.gen(function* () {
      for (const name of ["/etc/passwd", "examples/told", "../told.yaml", "told_7"]) {
        const result = yield* call("conductor_run_workflow", { name })
        expect(errorOf(result).type).toBe("UnknownWorkflow")
      }
      const near = yield* call("conductor_run_workflow", { name: "told_O7" })
      expect(errorOf(near).message).toMatch(/Did you mean 'told_\d7'\?/)
    }).pipe(Effect.provide(discovery))
  )
})

describe("progress", () => {
  interface News {
    readonly progress: number
    readonly total: number | undefined
    readonly message: string
  }

  /** Waits for a run of so many steps, and collects what the caller is told. */
  const follow = (seconds: number) =>
    Effect.gen(function* () {
      const news: Array<News> = []
      const run_id = runIdOf(yield* call("told", { seconds }))
      const waiting = call(
        "conductor_await_run",
        { run_id, wait_seconds: 40 },
        { progress: (progress, total, message) => void news.push({ progress, total, message }) }
      )
      const fiber = yield* Effect.fork(waiting)
      yield* turnOfEventLoop
      return { news, fiber }
    })

  it.effect("names the step and the counts, and its numbers always grow", () =>
    Effect.gen(function* () {
      const { fiber, news } = yield* follow(5)
      yield* pass(4.5)
      const numbers = news.map(({ progress }) => progress)
      expect(news.length).toBeGreaterThanOrEqual(2)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      for (const { message, progress, total } of news) {
        expect(message).toMatch(/^[0-9a-f]{10}: step \d, \d of 5 steps done$/)
        expect(total ?? Number.POSITIVE_INFINITY).toBeGreaterThan(progress)
      }
      yield* pass(1)
      expect(statusOf(yield* Fiber.join(fiber))).toBe("completed")
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("is silent for the first second, since a short call needs none", () =>
    Effect.gen(function* () {
      const { news } = yield* follow(5)
      yield* pass(0.9)
      expect(news).toEqual([])
    }).pipe(Effect.provide(testServer()))
  )

  it.effect("without news is a sign of life every 15 seconds, with numbers that still grow", () =>
    Effect.gen(function* () {
      const news: Array<News> = []
      const report = yield* makeProgressReport(
        view(),
        (progress, total, message) => void news.push({ progress, total, message }),
        (text) => text
      )
      yield* Effect.fork(report.run)
      yield* pass(61)
      const numbers = news.map(({ progress }) => progress)
      expect(numbers).toHaveLength(5)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect(Math.max(...numbers)).toBeLessThan(2)
    })
  )

  it.effect("leaves a moment between the last message and the result", () =>
    Effect.gen(function* () {
      const { fiber, news } = yield* follow(1)
      yield* pass(1)
      expect(news).toHaveLength(1)
      expect((yield* Fiber.poll(fiber))._tag).toBe("None")
      yield* TestClock.adjust("50 millis")
      expect(statusOf(yield* Fiber.join(fiber))).toBe("completed")
    }).pipe(Effect.provide(testServer()))
  )
})
