/** Laws of the engine, tried on workflows that nobody thought of. */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Fiber, HashMap, Layer, Option, Ref } from "effect"
import * as fc from "fast-check"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import { isTerminalEvent, type RunEvent } from "../../../src/domain/RunEvent.ts"
import { parseJson, stringifyJson, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { decide } from "../../../src/engine/Decider.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { EventSink } from "../../../src/engine/EventSink.ts"
import { Guidance } from "../../../src/engine/Guidance.ts"
import { BudgetExceededError } from "../../../src/engine/EngineErrors.ts"
import { interpret } from "../../../src/engine/Interpreter.ts"
import { makeJournal } from "../../../src/engine/Journal.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { People } from "../../../src/engine/People.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { makeOpenSessions } from "../../../src/engine/OpenSessions.ts"
import { initialState, type State } from "../../../src/engine/State.ts"
import { runWorkflow } from "../../../src/engine/WorkflowRun.ts"
import { ScriptedToolServers } from "../../../src/tools/ScriptedToolServers.ts"
import { engineFor, planOf, recorded, start, surroundings, typesOf } from "./RunText.ts"

const NAMES = ["a", "b", "c", "d"] as const
const NODES = [...NAMES, "p", "f", "s"] as const

/** What a for_each may go past the limit, since it is let in as one (workflow language §5.3). */
const ITEMS = 3

const route = fc.record({
  to: fc.constantFrom(...NODES, "$end"),
  when: fc.constantFrom(
    "{{ context.iteration > 2 }}",
    "context_iteration % 2 == 0",
    "{{ output is mapping }}",
    "{{ a is defined }}",
    "{{ nobody }}"
  )
})

/** Ends nearly always; what falls through goes to the end or round again. */
const routes = fc
  .tuple(fc.array(route, { maxLength: 2 }), fc.constantFrom(...NODES, "$end"))
  .map(([some, last]) => [
    ...some,
    { to: last, ...(last === "$end" ? { output: { via: "{{ context.iteration }}" } } : {}) }
  ])

/** With a retry, since the first call of some steps fails, and with a validator that is never content. */
const PROMPTS = [
  { prompt: "{{ context.history | join(',') }}", retry: { max_attempts: 2, delay_seconds: 0 } },
  {
    prompt: "{{ context.iteration }}",
    retry: { max_attempts: 2, delay_seconds: 0 },
    validator: { criteria: "c" }
  }
]

const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("{{ context.iteration }}", "1.0", "[1, x]", "{k: v}")
      .map((value) => ({ type: "set", value }))
  },
  { weight: 2, arbitrary: fc.constant({ type: "wait", duration: "1ms" }) },
  { weight: 2, arbitrary: fc.constantFrom("x", "y").map((command) => ({ type: "script", command })) },
  { weight: 2, arbitrary: fc.constantFrom(...PROMPTS) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...NODES, "$end"), fc.constantFrom(...NODES, "$end"))
      .map(([first, second]) => ({
        type: "human_gate",
        prompt: "{{ context.iteration }}?",
        options: [
          { label: "First", value: "1", route: first, prompt_for: "why" },
          { label: "Second", value: "2", route: second }
        ]
      }))
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      type: "questions",
      questions: [{ text: "Which?", choices: ["p", "q"] }, { text: "How?" }]
    })
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("count", "fail", "absent").map((tool) => ({ type: "mcp", server: "s", tool }))
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("success", "failed").map((status) => ({ type: "terminate", status, reason: "r" }))
  }
)

const step = (name: string) =>
  fc.tuple(body, routes).map(([fields, routes]) => ({
    name,
    ...fields,
    ...("status" in fields || "options" in fields ? {} : { routes })
  }))

const failureMode = fc.constantFrom("fail_fast", "continue_on_error", "all_or_nothing")

const memberBody = fc.constantFrom(
  { type: "mcp", server: "s", tool: "count", arguments: { n: "{{ context.iteration }}" } },
  { prompt: "{{ context.history | join(',') }}" },
  { type: "set", value: "{{ context.iteration }}" },
  { type: "set", value: "{{ 1 // (context.iteration - 1) }}" }
)

const parallel = fc
  .record({ m: memberBody, n: memberBody, failure_mode: failureMode, routes })
  .map(({ failure_mode, m, n, routes }) => ({
    members: [
      { name: "m", ...m },
      { name: "n", ...n }
    ],
    group: { name: "p", agents: ["m", "n"], failure_mode, routes }
  }))

const itemBody = fc.constantFrom(
  { type: "mcp", server: "s", tool: "count", arguments: { n: "{{ it }}" } },
  { prompt: "{{ it }} {{ _index }}" },
  { type: "set", value: "{{ 6 // it }}" },
  { type: "workflow", workflow: "child", input_mapping: { n: "{{ it }}" } },
  { type: "workflow", workflow: "deep", input_mapping: { n: "{{ it }}" } }
)

const forEach = fc
  .record({
    agent: itemBody.map((body) => ({ name: "item", ...body })),
    list: fc.array(fc.constantFrom(0, 1, 2), { maxLength: ITEMS }),
    max_concurrent: fc.integer({ min: 1, max: 3 }),
    failure_mode: failureMode,
    routes
  })
  .map(({ list, ...rest }) => ({
    list,
    group: { name: "f", type: "for_each", source: "workflow.input.list", as: "it", ...rest }
  }))

/** Asks a person, and then is `child`. */
const DEEP = JSON.stringify({
  workflow: { name: "deep", entry_point: "g", input: { n: { type: "number", default: 1 } } },
  agents: [
    { name: "g", type: "human_gate", prompt: "go?", options: [{ label: "Go", value: "go", route: "s" }] },
    {
      name: "s",
      type: "workflow",
      workflow: "child",
      routes: [{ to: "t", when: "{{ workflow.input.n == 1 }}" }, { to: "$end" }]
    },
    { name: "t", type: "terminate", status: "success", reason: "r", output_template: { r: "terminated" } }
  ],
  output: { r: "{{ s.output.r }}" }
})

/** Takes two steps, of which the first fails for 0 and the second is too many for 2. */
const CHILD = JSON.stringify({
  workflow: {
    name: "child",
    entry_point: "x",
    limits: { max_iterations: 2 },
    input: { n: { type: "number", default: 1 } }
  },
  agents: [
    { name: "x", type: "set", value: "{{ 6 // workflow.input.n }}", routes: [{ to: "y" }] },
    { name: "y", prompt: "{{ x.output }}", routes: [{ to: "x", when: "{{ workflow.input.n == 2 }}" }, { to: "$end" }] }
  ],
  output: { r: "{{ y.output.result }}" }
})

const workflow = fc
  .record({
    steps: fc.tuple(...NAMES.map(step)),
    parallel,
    forEach,
    below: routes,
    entry: fc.constantFrom(...NODES),
    sub: fc.constantFrom("child", "deep"),
    budget: fc.constantFrom({}, { budget_usd: 0.00003 }, { budget_usd: 0.00003, budget_mode: "enforce" }),
    limit: fc.integer({ min: 1, max: 8 }),
    context: fc.record({
      mode: fc.constantFrom("accumulate", "last_only"),
      max_tokens: fc.constantFrom(10, 60, 1000),
      trim_strategy: fc.constantFrom("drop_oldest", "truncate", "summarize")
    })
  })
  .map(({ below, budget, context, entry, forEach, limit, parallel, steps, sub: called }) => {
    const workflow = {
      name: "w",
      entry_point: entry,
      limits: { max_iterations: limit, ...budget },
      runtime: { default_model: "m", mcp_servers: { s: { command: "x" } } },
      cost: { pricing: { m: { input_per_mtok: 1, output_per_mtok: 1 } } },
      context,
      input: { list: { type: "array", default: forEach.list } }
    }
    const sub = { name: "s", type: "workflow", workflow: called, routes: below }
    const document = {
      workflow,
      agents: [...steps, ...parallel.members, sub],
      parallel: [parallel.group],
      for_each: [forEach.group],
      output: { n: "{{ context.iteration }}" }
    }
    return { limit, list: forEach.list, text: JSON.stringify(document) }
  })

/** As another process would read it. */
const fromDisk = (events: ReadonlyArray<RunEvent>): ReadonlyArray<RunEvent> =>
  parseJson(stringifyJson(events as unknown as Value)) as unknown as ReadonlyArray<RunEvent>

const plainPhase = (phase: State["phase"]): unknown =>
  phase._tag === "InGroup"
    ? {
        ...phase,
        group: { ...phase.group, results: HashMap.toEntries(phase.group.results).toSorted(([a], [b]) => a - b) }
      }
    : phase

const plain = ({ children, executions, history, outputs, phase, pricesTold, sessions, ...rest }: State): object => ({
  ...rest,
  phase: plainPhase(phase),
  children: Array.from(children, ([slot, child]) => [slot, plain(child)]),
  executions: [...executions],
  history: history.toArray(),
  pricesTold: [...pricesTold],
  sessions: [...sessions],
  outputs: [...outputs]
})

const check = <A>(arbitrary: fc.Arbitrary<A>, law: (value: A) => Effect.Effect<void, unknown>, numRuns = 40) =>
  fc.assert(
    fc.asyncProperty(arbitrary, (value) => Effect.runPromise(law(value))),
    { numRuns }
  )

/** Each is tried with every prefix of its log, which is much. */
const plansWithPrefixes = process.env["CONDUCTOR_FAULT_FULL"] === "1" ? 100 : 6
/** Milliseconds. */
const longest = 10_000 * plansWithPrefixes

const prefixesOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.map((_, index) => items.slice(0, index + 1))

/** Goes on from a state, and gives the state that it led to. */
const goOn = Effect.fn("goOn")(function* (text: string, state: State) {
  const plan = yield* planOf(text)
  const journal = yield* makeJournal(yield* EventSink, state)
  const request = { runId: "test", plan, inputs: {}, metadata: {} }
  const interpreting = interpret(
    {
      runId: "test",
      request,
      journal,
      openSessions: yield* makeOpenSessions,
      remaining: Effect.succeed(Infinity),
      path: []
    },
    runWorkflow
  )
  const failure = yield* Effect.either(interpreting)
  return { state: yield* journal.state, failure: Either.getLeft(failure) }
})

/** Interrupts the run as soon as its log has so many events. */
const cancellingAfter = (count: number, running: Deferred.Deferred<Fiber.RuntimeFiber<unknown, unknown>>) =>
  Layer.effect(
    EventSink,
    Effect.map(EventSink, ({ append }) => ({
      append: (type, data) =>
        Effect.tap(append(type, data), ({ seq }) =>
          seq === count ? Effect.flatMap(Deferred.await(running), Fiber.interruptFork) : Effect.void
        )
    }))
  )

const workflows = { child: CHILD, deep: DEEP }
const tools = { s: { count: ({ n = null }: ValueMap) => ({ n }), fail: () => ScriptedToolServers.failure("no") } }

/** Some answers cost, and some come only when they are asked for again. */
const script = {
  a: ScriptedAgents.reply("paid", { usage: { output_tokens: 10 } }),
  b: [{ error: { message: "busy", status: 503 } }, "late"],
  "a (validator)": [{ passed: false, issues: ["more"] }],
  "b (validator)": [{ passed: false, issues: ["more"] }]
}

/** People answer at once with the first option. */
const people = Layer.succeed(People, {
  ask: ({ gate: { options } }) =>
    Effect.succeed({
      selected: options[0]?.value ?? "",
      additionalInput: options[0]?.promptFor === undefined ? {} : { [options[0].promptFor]: "because" }
    })
})

/** Somebody says something once, and again to a process that goes on with a run that did not hear it. */
const saying = (history: ReadonlyArray<RunEvent> = []): Layer.Layer<never> =>
  Layer.effect(
    Guidance,
    Effect.map(Ref.make(history.some(({ type }) => type === "guidance_applied")), (said) => ({
      take: Effect.map(Ref.getAndSet(said, true), (isOver) =>
        isOver ? [] : [{ text: "be kind", source: "cli" as const }]
      )
    }))
  )

const setting = { script, tools, workflows }
/** All that a run needs which has this behind it. */
const engineAfter = (history: ReadonlyArray<RunEvent> = []) =>
  Layer.mergeAll(engineFor(setting), people, saying(history))
const worldAfter = (history: ReadonlyArray<RunEvent> = []) =>
  Layer.mergeAll(layerMemory, surroundings(setting), people, saying(history))

/** A law about each prefix of the log of a run, and the state in which the whole log ends. */
const checkPrefixes = (
  law: (
    plan: { readonly limit: number; readonly text: string },
    history: ReadonlyArray<RunEvent>,
    end: State
  ) => Effect.Effect<void, unknown>
) =>
  check(
    workflow,
    (plan) =>
      Effect.gen(function* () {
        yield* start(plan.text)
        const events = fromDisk(yield* recorded)
        const end = events.reduce(evolve, initialState(plan.limit))
        yield* Effect.forEach(prefixesOf(events), (history) => law(plan, history, end), { discard: true })
      }).pipe(Effect.provide(engineAfter())),
    plansWithPrefixes
  )

/**
 * What a step had cost before it was cut off is paid once more when it runs again, so that a budget may end the run earlier
 * than it would have: then it has come some part of the way.
 */
const expectSameWay = (resumed: State, end: State, { isOutOfBudget }: { readonly isOutOfBudget: boolean }): void => {
  const way = resumed.history.toArray()
  const whole = end.history.toArray()
  expect(way).toEqual(isOutOfBudget ? whole.slice(0, way.length) : whole)
}

const endedByBudget = ({ phase }: State): boolean =>
  phase._tag === "Ended" && phase.ending._tag === "Failed" && phase.ending.event.error_type === "BudgetExceededError"

describe("laws of the engine", () => {
  it("the state is what a fold over the log gives, also after a trip through a file", () =>
    check(workflow, ({ limit, list, text }) =>
      Effect.gen(function* () {
        const plan = yield* planOf(text)
        const sink = yield* EventSink
        const started = yield* sink.append("workflow_started", {
          name: "w",
          version: "",
          run_id: "test",
          entry_point: plan.entry,
          agents: [],
          parallel_groups: [],
          for_each_groups: [],
          routes: [],
          providers: {},
          log_file: "",
          metadata: {},
          inputs: { list },
          system: {},
          max_iterations: limit
        })
        const { state } = yield* goOn(text, evolve(initialState(limit), started))
        const folded = fromDisk(yield* recorded).reduce(evolve, initialState(limit))
        expect(plain(folded)).toEqual(plain(state))
      }).pipe(Effect.provide(worldAfter()))
    ))

  it(
    "every prefix of a log goes on to the same end",
    () =>
      checkPrefixes(({ limit, text }, history, end) =>
        Effect.gen(function* () {
          const half = history.reduce(evolve, initialState(limit))
          const resumed = yield* goOn(text, half).pipe(Effect.provide(worldAfter(history)))
          const isOutOfBudget = Option.exists(resumed.failure, (error) => error instanceof BudgetExceededError)
          expectSameWay(resumed.state, end, { isOutOfBudget })
          if (isOutOfBudget) return
          if (
            end.phase._tag === "Ended" &&
            end.phase.ending._tag === "Completed" &&
            resumed.state.phase._tag === "Ended"
          ) {
            expect(resumed.state.phase.ending).toEqual(end.phase.ending)
          } else {
            expect(Option.isSome(resumed.failure) || half.phase._tag === "Ended").toBe(true)
          }
        })
      ),
    longest
  )

  it(
    "a run that is started again from any prefix of its log repeats no step that finished",
    () =>
      checkPrefixes(({ limit, text }, history, end) =>
        Effect.gen(function* () {
          const half = history.reduce(evolve, initialState(limit))
          if (half.phase._tag === "Ended" && half.phase.ending._tag === "Completed") return
          // Where no route fitted, the step runs again.
          if (half.phase._tag === "Ended" && half.phase.before._tag === "Finished") return
          // What a group that begins anew gives is the same, too.
          const groups = history.length % 2 === 0 ? "continue" : "restart"
          const added = yield* Effect.zipRight(start(text, {}, history, groups), recorded).pipe(
            Effect.provide(engineAfter(history))
          )
          const resumed = [...history, ...fromDisk(added)].reduce(evolve, initialState(limit))
          expect(typesOf(added)[0]).toBe("workflow_started")
          expect(added.map(isTerminalEvent)).toEqual(added.map((_, index) => index === added.length - 1))
          const isOutOfBudget = endedByBudget(resumed)
          expectSameWay(resumed, end, { isOutOfBudget })
          if (isOutOfBudget) return
          expect(resumed.iterations).toBe(end.iterations)
          if (end.phase._tag !== "Ended" || resumed.phase._tag !== "Ended") throw new Error("a run has no end")
          const [expected, actual] = [end.phase.ending, resumed.phase.ending]
          expect(actual._tag).toBe(expected._tag)
          if (expected._tag === "Completed") expect(actual).toEqual(expected)
        })
      ),
    longest
  )

  it("no run goes past its iteration limit, and each has one end, at the end", () =>
    check(workflow, ({ limit, text }) =>
      Effect.gen(function* () {
        yield* start(text)
        const events = yield* recorded
        const state = events.reduce(evolve, initialState(limit))
        expect(state.iterations).toBeLessThanOrEqual(limit + ITEMS - 1)
        expect(events.map(isTerminalEvent)).toEqual(events.map((_, index) => index === events.length - 1))
        expect(decide(yield* planOf(text), state)).toBeUndefined()
      }).pipe(Effect.provide(engineAfter()))
    ))

  it("a run that is cancelled after any event has one end, as the last event, and leaves nothing running", () =>
    check(fc.tuple(workflow, fc.integer({ min: 1, max: 25 })), ([{ text }, moment]) =>
      Effect.gen(function* () {
        let alive = 0
        const command = () =>
          Effect.acquireUseRelease(
            Effect.sync(() => (alive += 1)),
            () => Effect.as(Effect.sleep("1 millis"), { stdout: "", stderr: "", exitCode: 0 }),
            () => Effect.sync(() => (alive -= 1))
          )
        const slowPeople = Layer.effect(
          People,
          Effect.map(People, ({ ask }) => ({
            ask: (question) =>
              Effect.acquireUseRelease(
                Effect.sync(() => (alive += 1)),
                () => Effect.delay(ask(question), "1 millis"),
                () => Effect.sync(() => (alive -= 1))
              )
          }))
        ).pipe(Layer.provide(people))
        const memory = yield* Layer.build(layerMemory)
        const running = yield* Deferred.make<Fiber.RuntimeFiber<unknown, unknown>>()
        const sink = cancellingAfter(moment, running).pipe(Layer.provide(Layer.succeedContext(memory)))
        const engine = Layer.provide(EngineLive, Layer.merge(sink, surroundings({ ...setting, command })))
        const fiber = yield* Effect.fork(
          start(text).pipe(Effect.provide(Layer.mergeAll(engine, surroundings(setting), slowPeople, saying())))
        )
        yield* Deferred.succeed(running, fiber)
        const exit = yield* Fiber.await(fiber)
        const events = yield* recorded.pipe(Effect.provide(memory))
        expect(alive).toBe(0)
        expect(events.map(isTerminalEvent)).toEqual(events.map((_, index) => index === events.length - 1))
        if (events.at(-1)?.type === "workflow_cancelled") expect(Exit.isInterrupted(exit)).toBe(true)
        else expect(events.length).toBeLessThanOrEqual(moment)
      }).pipe(Effect.scoped)
    ))
})
