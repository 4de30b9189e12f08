/**
 * Runs the cases of `runs/*.json` on the real engine: real scripts and files, a scripted model. What the engine reports
 * is compared with what the reference did; checkpoints are not, since a run's log takes their place here.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Either, Layer, Logger, LogLevel, Ref, Schema } from "effect"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { ScriptedAgents, ScriptedCalls, type ScriptedCall } from "../../../src/agents/ScriptedProvider.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { get, isList, isMap, toJson, type Json, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { Engine, UnsupportedWorkflow, type RunOutcome } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { IterationGrants } from "../../../src/engine/IterationGrants.ts"
import { layerMemory, MemoryEventSink } from "../../../src/engine/MemoryEventSink.ts"
import { evolve, initialState, type State } from "../../../src/engine/State.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { LoadError } from "../../../src/language/LoadError.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"

export interface EngineVerdict {
  readonly verdict: "pass" | "unsupported" | "fail"
  readonly why?: string
}

const AnyMap = Schema.declare((input: unknown): input is ValueMap => isMap(input as Value))
const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

const RunCase = Schema.Struct({
  id: Schema.String,
  workflow: Schema.String,
  files: Schema.optionalWith(Texts, { default: () => ({}) }),
  env: Schema.optionalWith(Texts, { default: () => ({}) }),
  inputs: AnyMap,
  script: Schema.optionalWith(AnyMap, { default: () => ({}) }),
  more_iterations: Schema.optionalWith(Schema.Array(Schema.Int), { default: () => [] }),
  /** The run goes on after its end, with other answers and perhaps another file; `expected.resumed` tells of that. */
  resume: Schema.optional(
    Schema.Struct({
      script: Schema.optionalWith(AnyMap, { default: () => ({}) }),
      workflow: Schema.optional(Schema.String)
    })
  ),
  expected: AnyMap
})
type RunCase = typeof RunCase.Type

/** What the engine did with a case, in the corpus's own terms. */
interface Observed {
  readonly outcome: RunOutcome
  readonly events: ReadonlyArray<RunEvent>
  readonly state: State
  readonly calls: ReadonlyArray<ScriptedCall>
  readonly hooks: ReadonlyArray<readonly [string, string | null]>
}

/** Cases that need a door the engine does not have yet: nothing of it can be asked, so nothing refuses. */
const NOT_YET = ["guidance"]

/** Events of the reference that have no place here, and ours that the corpus leaves out. */
const IGNORED = new Set(["checkpoint_saved", "agent_prompt_rendered", "agent_message", "run_warning"])

const json = (value: unknown): Json => toJson(value as Value)
const same = (left: unknown, right: unknown): boolean => isDeepStrictEqual(json(left), json(right))
const show = (value: unknown): string => JSON.stringify(json(value))

const difference = (what: string, expected: unknown, actual: unknown): ReadonlyArray<string> =>
  same(expected, actual) ? [] : [`${what}: expected ${show(expected)}, got ${show(actual)}`]

const texts = (value: Value | undefined): ReadonlyArray<string> =>
  value !== undefined && isList(value) ? value.map(String) : []

const compareError = (expected: Value | undefined, type: string, message: string): ReadonlyArray<string> => {
  if (expected === undefined || !isMap(expected)) return [`failed with ${type}: ${message}`]
  const missing = texts(get(expected, "messageContains")).filter(
    (word) => !message.toLowerCase().includes(word.toLowerCase())
  )
  return [
    ...difference("error type", get(expected, "type"), type),
    ...(missing.length === 0 ? [] : [`missing ${show(missing)} in: ${message}`])
  ]
}

const subjectOf = (data: ValueMap): Value => {
  const from = get(data, "from_agent")
  return from === undefined ? (get(data, "agent_name") ?? null) : `${String(from)}->${String(get(data, "to_agent"))}`
}

/** The corpus calls `agent_type` just `type`. */
const detailOf = (data: ValueMap, key: string): Value | undefined => get(data, key === "type" ? "agent_type" : key)

const compareEvent = (expected: Value, event: RunEvent | undefined, index: number): ReadonlyArray<string> => {
  const [type, subject = null, details = {}] = isList(expected) ? expected : []
  if (event === undefined) return [`event ${index}: expected ${show(expected)}, got none`]
  const data = event.data as unknown as ValueMap
  const actual = [event.type, subjectOf(data)]
  if (!same([type, subject], actual)) return [`event ${index}: expected ${show(expected)}, got ${show(actual)}`]
  return Object.entries(isMap(details) ? details : {}).flatMap(([key, value]) =>
    difference(`event ${index} ${event.type}.${key}`, value, detailOf(data, key) ?? null)
  )
}

const compareEvents = (expected: Value | undefined, events: ReadonlyArray<RunEvent>): ReadonlyArray<string> => {
  const wanted = (isList(expected ?? null) ? (expected as ReadonlyArray<Value>) : []).filter(
    (entry) => isList(entry) && !IGNORED.has(String(entry[0]))
  )
  const told = events.filter(({ type }) => !IGNORED.has(type))
  const surplus = told.length > wanted.length ? [`${told.length - wanted.length} events too many`] : []
  return [...wanted.flatMap((entry, index) => compareEvent(entry, told[index], index)), ...surplus].slice(0, 3)
}

/** `<time>` stands for any number. */
const withTimes = (expected: Json, actual: Json): Json => {
  if (expected === "<time>" && typeof actual === "number") return actual
  if (typeof expected !== "object" || expected === null || Array.isArray(expected)) return expected
  const present = typeof actual === "object" && actual !== null && !Array.isArray(actual) ? actual : {}
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      withTimes(value, (present as { readonly [key: string]: Json })[key] ?? null)
    ])
  )
}

const present = (entries: Readonly<Record<string, Value | undefined>>): ValueMap =>
  Object.fromEntries(Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

const callOf = ({ request }: ScriptedCall): ValueMap =>
  present({
    agent: request.step,
    ...(request.turns.length > 0 ? { recovery: true } : { prompt: request.prompt }),
    model: request.model,
    system_prompt: request.systemPrompt,
    effort: request.reasoningEffort,
    working_dir: request.workingDirectory
  })

const statusOf = (outcome: RunOutcome): string => {
  if (outcome._tag === "Completed") return "completed"
  return outcome.errorType === "WorkflowTerminated" ? "terminated" : "failed"
}

const compareOutcome = (expected: ValueMap, { events, outcome }: Observed): ReadonlyArray<string> => {
  if (outcome._tag === "Completed") {
    return get(expected, "error") === undefined
      ? difference("output", get(expected, "output"), outcome.output)
      : ["no error"]
  }
  const problems = compareError(get(expected, "error"), outcome.errorType, outcome.message)
  if (outcome.errorType !== "WorkflowTerminated") return problems
  const error = get(expected, "error")
  const last = events.at(-1)?.data as ValueMap | undefined
  return [
    ...problems,
    ...difference(
      "reason",
      isMap(error ?? null) ? get(error as ValueMap, "reason") : null,
      last?.["termination_reason"]
    ),
    ...difference(
      "terminated_by",
      isMap(error ?? null) ? get(error as ValueMap, "terminated_by") : null,
      last?.["terminated_by"]
    ),
    ...difference("output", get(expected, "output"), outcome.output)
  ]
}

const compare = (expected: ValueMap, observed: Observed): ReadonlyArray<string> => {
  const { calls, events, hooks, outcome, state } = observed
  const stored = json(Object.fromEntries(state.outputs))
  return [
    ...difference("status", get(expected, "status"), statusOf(outcome)),
    ...compareOutcome(expected, observed),
    ...compareEvents(get(expected, "events"), events),
    ...difference("history", get(expected, "history"), state.history.toArray()),
    ...difference("iterations", get(expected, "iterations"), state.iterations),
    ...difference("stored", withTimes(json(get(expected, "stored") ?? {}), stored), stored),
    ...difference("calls", get(expected, "calls") ?? [], calls.map(callOf)),
    ...difference("hooks", get(expected, "hooks") ?? [], hooks as unknown)
  ]
}

/** The engine tells its hooks to the debug log only. */
const hookLog = (hooks: Array<readonly [string, string | null]>): Layer.Layer<never> => {
  const logger = Logger.make(({ message }) => {
    const [head, text] = Array.isArray(message) ? message : [message]
    const [, name, failed] = /^hook (\w+)( failed)?$/.exec(String(head)) ?? []
    if (name !== undefined) hooks.push([name, failed === undefined ? String(text) : null])
  })
  return Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(LogLevel.Debug))
}

/** Scripts of a case run in its folder. */
const scriptsIn = (directory: string): Layer.Layer<ProcessRunner> =>
  Layer.map(ProcessRunner.layer(), (context) => context).pipe(
    Layer.flatMap((context) =>
      Layer.effect(
        ProcessRunner,
        Effect.map(ProcessRunner, ({ run }) => ({ run: (spec) => run({ cwd: directory, ...spec }) }))
      ).pipe(Layer.provide(Layer.succeedContext(context)))
    )
  )

/** Answers the iteration limit with what the case says, then with zero. */
const granting = (answers: ReadonlyArray<number>): Layer.Layer<never> =>
  Layer.effect(
    IterationGrants,
    Effect.map(Ref.make(answers), (left) => ({
      ask: () => Ref.modify(left, ([answer = 0, ...rest]) => [answer, rest])
    }))
  )

const observe = (testCase: RunCase, directory: string, history: ReadonlyArray<RunEvent> = []) => {
  const hooks: Array<readonly [string, string | null]> = []
  const services = Layer.mergeAll(
    layerMemory,
    ScriptedAgents.layer(testCase.script),
    scriptsIn(directory),
    Environment.layerOf({ ...process.env, ...testCase.env }),
    NodeContext.layer
  )
  const run = Effect.gen(function* () {
    const plan = compilePlan(yield* loadWorkflow(join(directory, "workflow.yaml")))
    const engine = yield* Engine
    const outcome = yield* engine.run({ runId: "corpus", plan, inputs: testCase.inputs, metadata: {}, history })
    const { events: readEvents } = yield* MemoryEventSink
    const { all } = yield* ScriptedCalls
    const events = yield* readEvents
    const state = [...history, ...events].reduce(evolve, initialState(plan.limits.max_iterations))
    return { outcome, events, state, calls: yield* all, hooks } satisfies Observed
  })
  return run.pipe(
    Effect.provide(Layer.provideMerge(EngineLive, services)),
    Effect.provide(granting(testCase.more_iterations)),
    Effect.provide(hookLog(hooks)),
    Effect.either
  )
}

type Observation = Either.Either<Observed, { readonly _tag: string; readonly message: string }>

const judge = ({ expected }: RunCase, observed: Observation): EngineVerdict => {
  if (Either.isLeft(observed)) {
    const error = observed.left
    if (error instanceof UnsupportedWorkflow) return { verdict: "unsupported", why: error.message }
    if (!(error instanceof LoadError)) return { verdict: "fail", why: error.message }
    const problems = [
      ...difference("status", get(expected, "status"), "load_error"),
      ...compareError(get(expected, "error"), error.errorType, error.message)
    ]
    return problems.length === 0 ? { verdict: "pass" } : { verdict: "fail", why: problems.join("\n") }
  }
  const problems = compare(expected, observed.right)
  return problems.length === 0 ? { verdict: "pass" } : { verdict: "fail", why: problems.join("\n") }
}

const replaceDirectory = (value: Value, directory: string): Value => {
  if (typeof value === "string") return value.replaceAll("<DIR>", directory)
  if (isList(value)) return value.map((entry) => replaceDirectory(entry, directory))
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, replaceDirectory(entry, directory)]))
}

const store = async (directory: string, { files, workflow }: RunCase): Promise<void> => {
  for (const [name, text] of Object.entries({ ...files, "workflow.yaml": workflow })) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
}

const resumedCase = (testCase: RunCase): RunCase | undefined => {
  const { expected, resume, workflow } = testCase
  const resumed = get(expected, "resumed") ?? null
  if (resume === undefined || !isMap(resumed)) return undefined
  return { ...testCase, script: resume.script, workflow: resume.workflow ?? workflow, expected: resumed }
}

const runCase = async (testCase: RunCase, directory: string): Promise<EngineVerdict> => {
  await store(directory, testCase)
  const observed = await Effect.runPromise(observe(testCase, directory))
  const first = judge(testCase, observed)
  const again = resumedCase(testCase)
  if (again === undefined || first.verdict !== "pass" || Either.isLeft(observed)) return first
  await store(directory, again)
  return judge(again, await Effect.runPromise(observe(again, directory, observed.right.events)))
}

export const runEngineCase = async (input: ValueMap): Promise<EngineVerdict> => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "conductor-corpus-")))
  try {
    const testCase = Schema.decodeUnknownSync(RunCase)(replaceDirectory(input, directory))
    const missing = NOT_YET.filter((door) => Object.hasOwn(input, door))
    if (missing.length > 0) return { verdict: "unsupported", why: `no ${missing.join(", ")} yet` }
    return await runCase(testCase, directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}
