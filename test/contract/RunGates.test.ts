/** How people answer runs, wherever the runs live. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { guideRun } from "../../src/runs/GuideRun.ts"
import { RunCancellation } from "../../src/runs/RunCancellation.ts"
import { RunGates } from "../../src/runs/RunGates.ts"
import { RunInbox } from "../../src/runs/RunInbox.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import { launch } from "../support/runs/Launches.ts"
import { runWorlds } from "../support/runs/RunWorlds.ts"
import { approval, asking, greeting, long } from "../support/runs/Workflows.ts"

/** Starts a run and waits until it asks something. */
const launchToGate = (text: string) =>
  Effect.flatMap(launch(text), ({ runId }) =>
    Effect.filterOrDieMessage(awaitRun(runId, "20 seconds"), ({ gate }) => gate !== undefined, "no gate was opened")
  )

const respond = (runId: string, selected: string, additionalInput: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(RunGates, (gates) => gates.respond(runId, { selected, additionalInput }))

describe.each(runWorlds)("a gate of a run $name", ({ layer }) => {
  it.live("waits with what it asks, and is listed", () =>
    Effect.gen(function* () {
      const { gate, runId, status } = yield* launchToGate(approval)
      expect(status).toBe("awaiting_gate")
      expect(gate).toMatchObject({
        step: "approve",
        prompt: "Ship it?",
        options: [
          { value: "yes", label: "Ship", route: "$end" },
          { value: "no", label: "Hold", route: "$end", promptFor: "why" }
        ]
      })
      const { waiting } = yield* Effect.flatMap(RunGates, (gates) => gates.list)
      expect(waiting).toMatchObject([{ view: { runId }, gate: { step: "approve" } }])
      yield* respond(runId, "yes")
      expect((yield* awaitRun(runId, "20 seconds")).status).toBe("completed")
      expect((yield* Effect.flatMap(RunGates, (gates) => gates.list)).waiting).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("refuses a wrong answer with the valid ones and stays open", () =>
    Effect.gen(function* () {
      const { gate, runId } = yield* launchToGate(approval)
      const error = yield* Effect.flip(respond(runId, "maybe"))
      expect(error).toMatchObject({ _tag: "AnswerRefused" })
      expect(error.message).toContain("'maybe' is no option. Valid answers: yes (Ship), no (Hold).")
      expect((yield* Effect.flip(respond(runId, "no"))).message).toContain("needs the text 'why'")
      expect((yield* Effect.flip(respond(runId, "yes", { why: "x" }))).message).toContain("takes no text")
      expect((yield* Effect.flatMap(RunMonitor, (monitor) => monitor.status(runId))).gate).toEqual(gate)
      expect(yield* respond(runId, "no", { why: "too early" })).toMatchObject({ _tag: "Taken" })
      expect(yield* awaitRun(runId, "20 seconds")).toMatchObject({
        status: "completed",
        output: { answer: "no", why: "too early" }
      })
    }).pipe(Effect.provide(layer))
  )

  it.live("is not answered with an answer to another prompt", () =>
    Effect.gen(function* () {
      const { gate, runId } = yield* launchToGate(approval)
      const gates = yield* RunGates
      const answer = { selected: "yes", additionalInput: {} }
      const error = yield* Effect.flip(gates.respond(runId, answer, "approve:other:1"))
      expect(error).toMatchObject({ _tag: "NoOpenGate", message: expect.stringContaining("answered elsewhere") })
      expect(yield* gates.respond(runId, answer, gate?.promptId)).toMatchObject({ _tag: "Taken" })
    }).pipe(Effect.provide(layer))
  )

  it.live("is checked by the run itself as well: a wrong answer that got through is a warning, not an end", () =>
    Effect.gen(function* () {
      const { gate, runId } = yield* launchToGate(approval)
      const inbox = yield* RunInbox
      const monitor = yield* RunMonitor
      const letter = { type: "gate_answer", agent_name: "approve", prompt_id: gate?.promptId ?? "" } as const
      yield* inbox.post(runId, { ...letter, selected: "maybe" })
      yield* inbox.post(runId, { ...letter, prompt_id: "approve:other:1", selected: "yes" })
      const warned = yield* monitor.watch(runId).pipe(
        Stream.filter(({ warnings }) => warnings.length > 0),
        Stream.runHead,
        Effect.flatten
      )
      expect(warned).toMatchObject({ status: "awaiting_gate", warnings: [expect.stringContaining("'maybe'")] })
      yield* respond(runId, "yes")
      expect(yield* awaitRun(runId, "20 seconds")).toMatchObject({ status: "completed", output: { answer: "yes" } })
    }).pipe(Effect.provide(layer))
  )

  it.live("can be answered by nobody when the run asks nothing", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(long)
      expect(yield* Effect.flip(respond(runId, "yes"))).toMatchObject({ _tag: "NoOpenGate", status: "running" })
      expect(yield* Effect.flip(respond("nobody", "yes"))).toMatchObject({ _tag: "RunNotFound" })
      yield* Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "a test"))
    }).pipe(Effect.provide(layer))
  )

  it.live("is left when the run is cancelled", () =>
    Effect.gen(function* () {
      const { runId } = yield* launchToGate(approval)
      const { view } = yield* Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "a test"))
      expect(view).toMatchObject({ status: "cancelled", error: { step: "approve" } })
      expect(view.gate).toBeUndefined()
    }).pipe(Effect.provide(layer))
  )

  it.live("asks questions one after another, each a gate of its own", () =>
    Effect.gen(function* () {
      const { runId } = yield* launchToGate(asking)
      const { view: second } = yield* respond(runId, "red")
      yield* respond(runId, "__free_text__", { answer: " by hand " }).pipe(
        // The view in between may be one in which the second question is not open yet.
        Effect.retry({ while: ({ _tag }) => _tag === "NoOpenGate" })
      )
      expect(second.progress.stepsCompleted).toBe(0)
      yield* respond(runId, "__finish__").pipe(Effect.retry({ while: ({ _tag }) => _tag === "NoOpenGate" }))
      expect(yield* awaitRun(runId, "20 seconds")).toMatchObject({
        status: "completed",
        output: { answers: { colour: "red", how: "by hand" } }
      })
    }).pipe(Effect.provide(layer))
  )
})

describe.each(runWorlds)("guidance for a run $name", ({ layer }) => {
  it.live("is applied before the next step, and the log says so", () =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      const { runId } = yield* launchToGate(approval.replace("route: $end }", "route: after }"))
      yield* guideRun(runId, "  be brief ")
      yield* respond(runId, "yes")
      const told = yield* monitor.events(runId, 1).pipe(
        Stream.filter(({ type }) => type === "guidance_applied"),
        Stream.runCollect
      )
      expect([...told]).toMatchObject([{ data: { text: "be brief", source: "cli", agent_name: "after" } }])
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when it is blank, too long, or the run is over", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(greeting, { who: "Ada" })
      yield* awaitRun(runId, "20 seconds")
      expect((yield* Effect.flip(guideRun(runId, "x"))).message).toContain("has ended (completed)")
      expect((yield* Effect.flip(guideRun(runId, " \n"))).message).toContain("blank")
      expect((yield* Effect.flip(guideRun(runId, "x".repeat(10_001)))).message).toContain("at most 10000")
    }).pipe(Effect.provide(layer))
  )
})
