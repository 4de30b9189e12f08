/** Runs a workflow that a test writes down, on the real engine with a scripted model and without real processes. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer } from "effect"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import type { RunEvent, RunEventData, RunEventType } from "../../../src/domain/RunEvent.ts"
import type { ValueMap } from "../../../src/domain/Value.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { layerMemory, MemoryEventSink } from "../../../src/engine/MemoryEventSink.ts"
import * as MemoryWorkflowResolver from "../../../src/engine/MemoryWorkflowResolver.ts"
import type { ResumedGroups } from "../../../src/engine/ResumedState.ts"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { ProcessRunner, type ProcessResult, type ProcessSpec } from "../../../src/platform/ProcessRunner.ts"
import type { ProcessError } from "../../../src/platform/ProcessError.ts"
import { ScriptedToolServers, type ToolScript } from "../../../src/tools/ScriptedToolServers.ts"

export interface Setting {
  readonly script?: AgentScript
  readonly available?: ReadonlyArray<string>
  readonly variables?: Readonly<Record<string, string>>
  /** Texts of sub-workflows by the reference that steps write. */
  readonly workflows?: Readonly<Record<string, string>>
  /** What the tools of MCP servers answer. */
  readonly tools?: ToolScript
  /** Stands for every command; by default a command prints its own name. */
  readonly command?: (spec: ProcessSpec) => Effect.Effect<ProcessResult, ProcessError>
}

const printName = ({ command }: ProcessSpec): Effect.Effect<ProcessResult> =>
  Effect.succeed({ stdout: `${command}\n`, stderr: "", exitCode: 0 })

/** Each has its reference for a path, so that two texts are two workflows. */
const resolverOf = (workflows: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>) =>
  Effect.forEach(Object.entries(workflows), ([reference, text]) =>
    Effect.map(loadWorkflowText(text), (loaded) => [reference, compilePlan({ ...loaded, path: reference })] as const)
  ).pipe(
    Effect.map((plans) => MemoryWorkflowResolver.layer(Object.fromEntries(plans))),
    Effect.orDie,
    Effect.provide(Layer.merge(NodeContext.layer, Environment.layerOf(variables))),
    Layer.unwrapEffect
  )

/** Everything an engine needs but the sink. */
export const surroundings = ({
  available,
  command = printName,
  script = {},
  tools = {},
  variables = {},
  workflows = {}
}: Setting = {}) =>
  Layer.mergeAll(
    resolverOf(workflows, variables),
    ScriptedAgents.layer(script, available === undefined ? {} : { available }),
    ScriptedToolServers.layer(tools),
    ProcessRunner.layerScripted(command),
    Environment.layerOf(variables),
    NodeContext.layer
  )

/** An engine that writes to memory. */
export const engineFor = (setting: Setting = {}) =>
  Layer.provideMerge(EngineLive, Layer.merge(layerMemory, surroundings(setting)))

export const planOf = (text: string) => Effect.map(loadWorkflowText(text), compilePlan)

export const start = Effect.fn("start")(function* (
  text: string,
  inputs: ValueMap = {},
  history: ReadonlyArray<RunEvent> = [],
  groups: ResumedGroups = "continue"
) {
  const plan = yield* planOf(text)
  const engine = yield* Engine
  return yield* engine.run({ runId: "test", plan, inputs, metadata: {}, history, groups })
})

export const recorded: Effect.Effect<ReadonlyArray<RunEvent>, never, MemoryEventSink> = Effect.flatMap(
  MemoryEventSink,
  ({ events }) => events
)

export const typesOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<RunEventType> => events.map(({ type }) => type)

/** The data of the first event of a type. */
export const dataOf = <T extends RunEventType>(events: ReadonlyArray<RunEvent>, type: T): RunEventData[T] | undefined =>
  events.find((event) => event.type === type)?.data as RunEventData[T] | undefined
