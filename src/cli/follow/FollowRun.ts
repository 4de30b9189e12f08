/**
 * A command that starts a run, or goes on with one, stays with it: it shows what the run does, asks the person in front of
 * the terminal what the run asks, and prints what came of it. It never owns the run, which lives in its own process.
 */
import { Effect, Option, Queue, Schedule, Stream, SubscriptionRef } from "effect"
import { isNested, type RunEvent } from "../../domain/RunEvent.ts"
import { RunGates } from "../../runs/RunGates.ts"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import type { RunView } from "../../runs/RunView.ts"
import { Interrupts } from "../Interrupts.ts"
import { Output, printJson } from "../output/Output.ts"
import { runJson } from "../runs/RunReport.ts"
import { aside, cancelRun } from "./CancelRun.ts"
import { beginFollowing, follow, wantsKeys, type Action, type Following, type Input } from "./Following.ts"
import { followMode, type FollowMode } from "./FollowMode.ts"
import { Keyboard } from "./Keyboard.ts"
import { printDetached, printEnd } from "./RunEnd.ts"
import { draw, tellEvent, tellGate } from "./TellEvent.ts"

export interface FollowOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly detach: boolean
}

interface Followed {
  readonly view: RunView
  readonly mode: FollowMode
  /** The number of the last event that the log had before: what is shown begins behind it. */
  readonly after: number
}

/** Ten times a second at most: what has not changed is not drawn again. */
const drawing = Schedule.spaced("100 millis")

/** A log may begin with what an earlier process wrote, or with the copy that a fork took over. */
const isBeginning = (event: RunEvent, { after, view }: Followed): boolean =>
  event.type === "workflow_started" && !isNested(event) && event.seq > after && event.data.run_id === view.runId

const eventsOf = (followed: Followed) =>
  Stream.unwrap(
    Effect.map(RunMonitor, (monitor) =>
      monitor.events(followed.view.runId, 1).pipe(
        Stream.mapAccum(false, (hasBegun, event) => {
          const isNew = hasBegun || isBeginning(event, followed)
          const input: Input = { _tag: "Event", event, age: isNew ? "new" : "past" }
          return [isNew, input]
        })
      )
    )
  )

/** The terminal gives its keys only as long as something is asked. */
const keysFor = (state: SubscriptionRef.SubscriptionRef<Following>) =>
  Stream.unwrap(
    Effect.map(Keyboard, ({ listen }) => {
      const listening = Effect.map(listen, (keys) =>
        Stream.concat(
          Stream.make<[Input]>({ _tag: "Listening" }),
          Stream.map(keys, (key): Input => ({ _tag: "Key", key }))
        )
      )
      return state.changes.pipe(
        Stream.map(wantsKeys),
        Stream.changes,
        Stream.flatMap((wanted) => (wanted ? Stream.unwrapScoped(listening) : Stream.empty), { switch: true })
      )
    })
  )

const ctrlC = Stream.unwrap(Effect.map(Interrupts, ({ taken }) => Stream.map(taken, (): Input => ({ _tag: "CtrlC" }))))

const sendAnswer = (
  { view: { runId } }: Followed,
  { answer, promptId }: Extract<Action, { readonly _tag: "Answer" }>,
  replies: Queue.Enqueue<Input>
) =>
  Effect.gen(function* () {
    const gates = yield* RunGates
    const output = yield* Output
    const { _tag } = yield* gates.respond(runId, answer, promptId)
    if (_tag === "Sent") yield* output.report(`The answer is kept for run ${runId}, which has not taken it yet.`)
  }).pipe(Effect.catchAll(({ message }) => Queue.offer(replies, { _tag: "Refused", promptId, reason: message })))

/** Ends with the run, or says that the person has gone. */
const watch = (followed: Followed) =>
  Effect.gen(function* () {
    const { mode, view } = followed
    const output = yield* Output
    const interrupts = yield* Interrupts
    const isAttended = yield* Effect.flatMap(Keyboard, (keyboard) => keyboard.isAttended)
    const { provenance, runId: run_id, startedAt: created_at, workflow } = view
    const state = yield* SubscriptionRef.make(beginFollowing({ created_at, provenance, run_id, workflow }))
    const replies = yield* Queue.unbounded<Input>()

    if (mode === "screen" || isAttended) {
      yield* Effect.addFinalizer(() => output.region([]))
      yield* Effect.flatMap(state, (following) => draw(following, mode)).pipe(Effect.repeat(drawing), Effect.forkScoped)
    }

    const act = (action: Action) => {
      switch (action._tag) {
        case "Nothing":
          return Effect.succeedNone
        case "Answer":
          return Effect.as(Effect.forkScoped(sendAnswer(followed, action, replies)), Option.none())
        case "Cancel":
          return Effect.zipRight(interrupts.end, Effect.never)
        case "Detach":
          return Effect.succeedSome("detached" as const)
      }
    }

    const receive = (input: Input) =>
      Effect.gen(function* () {
        const before = yield* state
        const [following, action] = follow(before, input)
        yield* SubscriptionRef.set(state, following)
        if (input._tag === "Event" && input.age === "new") yield* tellEvent(input.event, following, mode)
        const gate = following.prompt?.gate
        if (gate !== undefined && gate.promptId !== before.prompt?.gate.promptId) {
          yield* tellGate({ gate, runId: run_id }, isAttended ? "asked" : "told")
        }
        if (input._tag !== "Event" && isAttended) yield* draw(following, mode)
        return yield* act(action)
      })

    const person = isAttended ? Stream.merge(keysFor(state), ctrlC) : Stream.never
    return yield* eventsOf(followed).pipe(
      Stream.merge(Stream.merge(person, Stream.fromQueue(replies)), { haltStrategy: "left" }),
      Stream.mapEffect(receive),
      Stream.filterMap((outcome) => outcome),
      Stream.runHead
    )
  }).pipe(Effect.scoped)

const printStarted = (view: RunView, { json }: FollowOptions) =>
  Effect.gen(function* () {
    const output = yield* Output
    yield* json ? printJson(runJson(view)) : output.print(view.runId)
  })

/**
 * Shows a run that this command started until it ends, and prints its end; fails if it did not complete. Interrupting it
 * ends the run. `after`: the number of the last event that the log had before the start.
 */
export const stayWith = (view: RunView, options: FollowOptions, after = 0) =>
  Effect.gen(function* () {
    if (options.detach) return yield* printStarted(view, options)
    const monitor = yield* RunMonitor
    const output = yield* Output
    const mode = followMode(options, Option.isSome(yield* output.screen))
    if (!options.quiet) yield* output.report(output.errorStyle.dim(`run ${view.runId}`))
    const left = yield* Effect.onInterrupt(watch({ view, mode, after }), () => aside(cancelRun(view.runId)))
    const latest = yield* monitor.status(view.runId)
    yield* Option.isSome(left) ? printDetached(latest, mode) : printEnd(latest, mode)
  })
