/** Plays a workflow file through, as the tests of its author would: real scripts, scripted agents, scripted people. */
import { Chunk, Effect, Stream } from "effect"
import type { GateAnswer } from "../../src/domain/Gate.ts"
import type { ValueMap } from "../../src/domain/Value.ts"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunGates } from "../../src/runs/RunGates.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import type { RunView } from "../../src/runs/RunView.ts"
import { runWorkflow, ScriptedCalls, testWorkflows, type AgentScript, type ToolScript } from "../../src/testing.ts"
import { startedNodes } from "./StartedNodes.ts"

export interface Play {
  readonly inputs?: ValueMap
  readonly agents?: AgentScript
  readonly tools?: ToolScript
  /** What people answer, one gate or question after the other; when it is used up, the run is left waiting. */
  readonly answers?: ReadonlyArray<GateAnswer>
  /** Where scripts run. */
  readonly folder: string
}

const answered = (view: RunView, answers: ReadonlyArray<GateAnswer>) =>
  Effect.reduce(answers, view, (waiting, answer) =>
    Effect.flatMap(RunGates, ({ respond }) => respond(waiting.runId, answer)).pipe(
      Effect.zipRight(awaitRun(waiting.runId, "1 minute"))
    )
  )

/** `steps` are the steps and groups that were started, in order; `prompts` what was asked, by agent. */
export const playWorkflow = (file: string, { agents = {}, answers = [], folder, inputs = {}, tools = {} }: Play) =>
  Effect.gen(function* () {
    const started = yield* runWorkflow(file, { inputs, launchDirectory: folder })
    const { error, output, runId, status } = yield* answered(started, answers)
    const monitor = yield* RunMonitor
    const events = yield* Stream.runCollect(monitor.events(runId, 1))
    const calls = yield* Effect.flatMap(ScriptedCalls, ({ all }) => all)
    return {
      status,
      output,
      error: error?.message,
      steps: startedNodes(Chunk.toReadonlyArray(events)),
      prompts: calls.map(({ request }) => [request.step, request.prompt] as const)
    }
  }).pipe(Effect.provide(testWorkflows({ agents, tools })))
