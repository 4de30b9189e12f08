/**
 * Runs the reference's example workflows where they lie, with the answers that their models gave there. Gates are
 * answered by their first option, and nothing but the scripts of the examples is started.
 */
import { Effect, Layer, Record } from "effect"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import { toJson, type Json, type ValueMap } from "../../../src/domain/Value.ts"
import { Engine, type RunOutcome } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { layerMemory, MemoryEventSink } from "../../../src/engine/MemoryEventSink.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { initialState } from "../../../src/engine/State.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"
import { ToolServers } from "../../../src/tools/ToolServers.ts"
import { languagePlatform } from "../LanguagePlatform.ts"
import { workflowFolder } from "../WorkflowFolder.ts"

/** One entry of examples.json: what the reference said about a file, and what became of a run of it. */
export interface Example {
  readonly file: string
  /** Tells the entries of one file apart. */
  readonly variant?: string
  /** Names of the variables that it needs. */
  readonly env?: ReadonlyArray<string>
  readonly inputSchema: unknown
  readonly warnings: number
  readonly inputs: ValueMap
  readonly answers?: AgentScript
  readonly status: "completed" | "failed" | "terminated"
  /** Absent when the run failed, or when its values are measured times. */
  readonly output?: Json
  readonly errorType?: string
  /** A word of the error's message. */
  readonly errorName?: string
  /** Steps and groups in the order in which they were started, without those of sub-workflows. */
  readonly nodes: ReadonlyArray<string>
  readonly history: ReadonlyArray<string>
  readonly iterations: number
}

/** Without skills or plugins of its own, whatever the home of who runs this has. */
export const platformOf = ({ env = [] }: Example) =>
  languagePlatform({
    HOME: "/nonexistent",
    PATH: process.env["PATH"] ?? "",
    ...Object.fromEntries(env.map((name) => [name, "set"]))
  })

const statusOf = (outcome: RunOutcome): Example["status"] => {
  if (outcome._tag === "Completed") return "completed"
  return outcome.errorType === "WorkflowTerminated" ? "terminated" : "failed"
}

/** Scripts run in a folder of their own, and what an example would keep in /tmp for its next run is kept there. */
const scriptsIn = (folder: string): Layer.Layer<ProcessRunner> =>
  Layer.effect(
    ProcessRunner,
    Effect.map(ProcessRunner, ({ run }) => ({
      run: (spec) =>
        run({
          cwd: folder,
          ...spec,
          env: Record.map(spec.env, (value) => value.replace(/^\/tmp(?=\/)/, folder))
        })
    }))
  ).pipe(Layer.provide(ProcessRunner.layer()))

/** Servers that an example declares have the tools that it names, and no scripted model calls one. Nothing is fetched. */
const declaredTools = Layer.succeed(ToolServers, {
  tools: ({ definition }) =>
    Effect.succeed(definition.tools.map((name) => ({ name, inputSchema: { type: "object" } }))),
  call: ({ name }, tool) => Effect.dieMessage(`an example called '${tool}' of '${name}'`)
})

/** Fails with `UnsupportedWorkflow` when this version refuses to start it. */
export const runExample = (path: string, example: Example) =>
  Effect.gen(function* () {
    const plan = compilePlan(yield* loadWorkflow(path))
    const engine = yield* Engine
    const outcome = yield* engine.run({
      runId: "example",
      plan,
      inputs: example.inputs,
      metadata: {},
      gates: "skip"
    })
    const { events: readEvents } = yield* MemoryEventSink
    const events = yield* readEvents
    const state = events.reduce(evolve, initialState(plan.limits.max_iterations))
    return {
      status: statusOf(outcome),
      output: outcome.output === undefined ? undefined : toJson(outcome.output),
      error: outcome._tag === "Failed" ? { type: outcome.errorType, message: outcome.message } : undefined,
      history: state.history.toArray(),
      iterations: state.iterations,
      events
    }
  }).pipe(
    Effect.provide(
      EngineLive.pipe(
        Layer.provideMerge(
          Layer.mergeAll(
            layerMemory,
            declaredTools,
            ScriptedAgents.layer(example.answers ?? {}),
            Layer.unwrapScoped(Effect.map(workflowFolder({}), scriptsIn)),
            FileWorkflowResolver.layer
          )
        ),
        Layer.provideMerge(platformOf(example))
      )
    )
  )
