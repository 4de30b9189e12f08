/**
 * Runs the cases of `runs/*.json` on the real engine: real scripts and files, a scripted model. What the engine reports
 * is compared with what the reference did; checkpoints are not, since a run's log takes their place here.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Either, Layer, Logger, LogLevel, Option, Ref, Schema } from "effect"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { ScriptedAgents, ScriptedCalls, type ScriptedCall } from "../../../src/agents/ScriptedProvider.ts"
import type { GateAnswer } from "../../../src/domain/Gate.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { get, isList, isMap, toJson, type Json, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { Engine, UnsupportedWorkflow, type RunOutcome } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { HumanGateError } from "../../../src/engine/EngineErrors.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { Guidance } from "../../../src/engine/Guidance.ts"
import { IterationGrants } from "../../../src/engine/IterationGrants.ts"
import { layerMemory, MemoryEventSink } from "../../../src/engine/MemoryEventSink.ts"
import { People } from "../../../src/engine/People.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { initialState, type State } from "../../../src/engine/State.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { LoadError } from "../../../src/language/LoadError.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"
import { compareEvents } from "./runEvents.ts"
import { compareUsage } from "./runUsage.ts"

export interface EngineVerdict {
  readonly verdict: "pass" | "unsupported" | "fail"
  readonly why?: string
}

const AnyMap = Schema.declare((input: unknown): input is ValueMap => isMap(input as Value))
const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

const GateReply = Schema.Struct({
  selected: Schema.String,
  additional_input: Schema.optionalWith(Texts, { default: () => ({}) })
})

const QuestionReply = Schema.Union(
  Schema.Struct({ choice: Schema.String }),
  Schema.Struct({ text: Schema.String }),
  Schema.Literal("skip", "skip_all", "back", "finish", "abort")
)

/** By step, in order. */
const repliesOf = <Reply, Encoded>(reply: Schema.Schema<Reply, Encoded>) =>
  Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Array(reply) }), { default: () => ({}) })

const Gates = repliesOf(GateReply)
const Questions = repliesOf(QuestionReply)

const RunCase = Schema.Struct({
  id: Schema.String,
  workflow: Schema.String,
  files: Schema.optionalWith(Texts, { default: () => ({}) }),
  env: Schema.optionalWith(Texts, { default: () => ({}) }),
  inputs: AnyMap,
  /** `groups-unordered`: members of one group may interleave in any way. */
  eventsOrder: Schema.optional(Schema.Literal("groups-unordered")),
  /** What the others do once a `fail_fast` group has failed is not fixed. */
  siblings: Schema.optional(Schema.Literal("any")),
  oddity: Schema.optional(Schema.Boolean),
  script: Schema.optionalWith(AnyMap, { default: () => ({}) }),
  more_iterations: Schema.optionalWith(Schema.Array(Schema.Int), { default: () => [] }),
  guidance: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  gates: Gates,
  questions: Questions,
  skip_gates: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The run goes on after its end, with other answers and perhaps another file; `expected.resumed` tells of that. */
  resume: Schema.optional(
    Schema.Struct({
      script: Schema.optionalWith(AnyMap, { default: () => ({}) }),
      gates: Gates,
      questions: Questions,
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

/** Errors that the reference finds words for are ours to word: all that has a suggestion. */
const OWN_WORDS = new Set(["message", "suggestion"])

const isWordedByUs = (entry: { readonly [key: string]: Json }, key: string): boolean =>
  OWN_WORDS.has(key) && typeof entry["exception_type"] === "string" && entry["suggestion"] !== null

/** `<time>` stands for any number, and so do the words of errors for any text. */
const withOwn = (expected: Json, actual: Json): Json => {
  if (expected === "<time>" && typeof actual === "number") return actual
  if (typeof expected !== "object" || expected === null || isJsonList(expected)) return expected
  const present = typeof actual === "object" && actual !== null && !isJsonList(actual) ? actual : {}
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => {
      const given = present[key] ?? null
      return [key, isWordedByUs(expected, key) ? given : withOwn(value, given)]
    })
  )
}

const isJsonList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const sorted = (calls: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  calls.toSorted((a, b) => (show(a) < show(b) ? -1 : 1))

const compareCalls = (
  expected: Value | undefined,
  calls: ReadonlyArray<ValueMap>,
  { eventsOrder, siblings }: RunCase
): ReadonlyArray<string> => {
  if (siblings === "any") return []
  const wanted = expected !== undefined && isList(expected) ? expected : []
  return eventsOrder === undefined
    ? difference("calls", wanted, calls)
    : difference("calls", sorted(wanted), sorted(calls))
}

const present = (entries: Readonly<Record<string, Value | undefined>>): ValueMap =>
  Object.fromEntries(Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

const GUIDANCE = "[User Guidance]"

/** Where the engine adds text of its own, only what it adds is compared. */
const askedOf = ({
  model,
  prompt,
  step,
  turns
}: ScriptedCall["request"]): Readonly<Record<string, Value | undefined>> => {
  if (step.endsWith(" (validator)")) return { model: model ?? null }
  if (turns.length > 0) return { recovery: true, model }
  if (prompt.includes("## Validation feedback")) return { feedback: true, model }
  const [written = "", said] = prompt.split(`\n\n${GUIDANCE}\n`)
  if (said === undefined) return { prompt, model }
  const guidance = said.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []))
  return { promptStarts: written, guidance, model }
}

const callOf = ({ request }: ScriptedCall): ValueMap =>
  present({
    agent: request.step,
    ...askedOf(request),
    system_prompt: request.step.endsWith(" (validator)") ? undefined : request.systemPrompt,
    effort: request.reasoningEffort,
    tools: request.tools?.allowed,
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

const compare = (testCase: RunCase, observed: Observed): ReadonlyArray<string> => {
  const { expected } = testCase
  const { calls, events, hooks, outcome, state } = observed
  const stored = json(Object.fromEntries(state.outputs))
  return [
    ...difference("status", get(expected, "status"), statusOf(outcome)),
    ...compareOutcome(expected, observed),
    ...compareEvents(get(expected, "events"), events, testCase),
    ...difference("history", get(expected, "history"), state.history.toArray()),
    ...difference("iterations", get(expected, "iterations"), state.iterations),
    ...difference("stored", withOwn(json(get(expected, "stored") ?? {}), stored), stored),
    ...compareUsage(get(expected, "usage"), events),
    ...compareCalls(get(expected, "calls"), calls.map(callOf), testCase),
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

/** Says all of it before the first step. */
const saying = (texts: ReadonlyArray<string>): Layer.Layer<never> =>
  Layer.effect(
    Guidance,
    Effect.map(Ref.make(texts), (left) => ({
      take: Effect.map(Ref.getAndSet(left, []), (said) => said.map((text) => ({ text, source: "cli" as const })))
    }))
  )

const gateAnswer = (reply: typeof GateReply.Type | typeof QuestionReply.Type): GateAnswer => {
  if (typeof reply === "string") return { selected: `__${reply}__`, additionalInput: {} }
  if ("choice" in reply) return { selected: reply.choice, additionalInput: {} }
  if ("text" in reply) return { selected: "__free_text__", additionalInput: { answer: reply.text } }
  return { selected: reply.selected, additionalInput: reply.additional_input }
}

/** Answers as the case says; then the person has left, and the last refusal is why. */
const answering = ({ gates, questions }: RunCase): Layer.Layer<never> => {
  const replies = Object.entries({ ...gates, ...questions }).map(
    ([step, entries]) => [step, entries.map(gateAnswer)] as const
  )
  return Layer.effect(
    People,
    Effect.map(Ref.make(new Map<string, ReadonlyArray<GateAnswer>>(replies)), (left) => ({
      ask: ({ gate, refused }) =>
        Ref.modify(left, (all) => {
          const [answer, ...rest] = all.get(gate.step) ?? []
          return [Option.fromNullable(answer), new Map(all).set(gate.step, rest)]
        }).pipe(
          Effect.flatten,
          Effect.mapError(
            () => new HumanGateError({ message: refused.at(-1)?.message ?? `No answer is left for '${gate.step}'` })
          )
        )
    }))
  )
}

const observe = (testCase: RunCase, directory: string, history: ReadonlyArray<RunEvent> = []) => {
  const hooks: Array<readonly [string, string | null]> = []
  const services = Layer.mergeAll(
    layerMemory,
    ScriptedAgents.layer(testCase.script),
    scriptsIn(directory),
    FileWorkflowResolver.layer
  ).pipe(Layer.provideMerge(Layer.merge(Environment.layerOf({ ...process.env, ...testCase.env }), NodeContext.layer)))
  const run = Effect.gen(function* () {
    const plan = compilePlan(yield* loadWorkflow(join(directory, "workflow.yaml")))
    const engine = yield* Engine
    const outcome = yield* engine.run({
      runId: "corpus",
      plan,
      inputs: testCase.inputs,
      metadata: {},
      history,
      // The reference repeats whole groups.
      groups: "restart",
      gates: testCase.skip_gates ? "skip" : "ask"
    })
    const { events: readEvents } = yield* MemoryEventSink
    const { all } = yield* ScriptedCalls
    const events = yield* readEvents
    const state = [...history, ...events].reduce(evolve, initialState(plan.limits.max_iterations))
    return { outcome, events, state, calls: yield* all, hooks } satisfies Observed
  })
  return run.pipe(
    Effect.provide([
      Layer.provideMerge(EngineLive, services),
      granting(testCase.more_iterations),
      saying(testCase.guidance),
      answering(testCase),
      hookLog(hooks)
    ]),
    Effect.either
  )
}

type Observation = Either.Either<Observed, { readonly _tag: string; readonly message: string }>

const judge = (testCase: RunCase, observed: Observation): EngineVerdict => {
  const { expected } = testCase
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
  const problems = compare(testCase, observed.right)
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
  const { expected, resume } = testCase
  const resumed = get(expected, "resumed") ?? null
  return resume === undefined || !isMap(resumed)
    ? undefined
    : { ...testCase, ...resume, workflow: resume.workflow ?? testCase.workflow, expected: resumed }
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
    return await runCase(testCase, directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}
