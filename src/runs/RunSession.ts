/**
 * The life of one run inside a process: the engine at work, the wish to stop it, and the certainty that the log ends with
 * a terminal event. It knows nothing of signals, pipes or folders.
 */
import { Cause, Effect, Exit, Fiber, Layer, Option, Ref } from "effect"
import { type EventData, isNested, isTerminalEvent, type RunEventData, type RunEventType } from "../domain/RunEvent.ts"
import { Engine, type RunOutcome, type RunRequest, type UnsupportedWorkflow } from "../engine/Engine.ts"
import { EventSink, EventSinkError } from "../engine/EventSink.ts"
import type { EventWriter } from "./EventLog.ts"
import { LaunchError } from "./RunErrors.ts"

/** `Crash`: something outside of the engine broke, and the process cannot go on. */
export interface StopRequest {
  readonly _tag: "Cancel" | "Crash"
  readonly message: string
}

export interface Session {
  readonly request: RunRequest
  readonly writer: EventWriter
  readonly engine: Layer.Layer<Engine, never, EventSink>
  /** Runs once, when the first event is on disk and before anything else happens. */
  readonly onStarted: Effect.Effect<void>
  /** Ends when the run has to stop. */
  readonly stopRequested: Effect.Effect<StopRequest>
}

export type SessionEnd = RunOutcome | { readonly _tag: "Stopped" }

/** How far the log has come. */
type Phase = "waiting" | "started" | "ended"

/** A disk that takes nothing from the first event on means that there is no run. */
const firstEventLimit = "5 seconds"

const untilFirstIsSafe = (writer: EventWriter) =>
  Effect.timeoutFail(Effect.interruptible(writer.settled), {
    duration: firstEventLimit,
    onTimeout: () => new EventSinkError({ message: "The first event of the run could not be written to the disk." })
  })

const internalError = (message: string, elapsed: number, step: string | null): RunEventData["workflow_failed"] => ({
  error_type: "InternalError",
  message: `${message} This is a fault of conductor, not of the workflow.`,
  elapsed,
  agent_name: step
})

const makeSink = ({ onStarted, writer }: Session, phase: Ref.Ref<Phase>, stop: Ref.Ref<Option.Option<StopRequest>>) => {
  /** The engine knows that it was interrupted; only here it is known why. */
  const appendStopped = (data: RunEventData["workflow_cancelled"]) =>
    Effect.flatMap(Ref.get(stop), (request) => {
      if (Option.isNone(request)) return writer.append("workflow_cancelled", data)
      const { _tag, message } = request.value
      return _tag === "Cancel"
        ? writer.append("workflow_cancelled", { ...data, reason: message })
        : writer.append("workflow_failed", internalError(message, data.elapsed, data.agent_name))
    })

  const append = Effect.fnUntraced(function* <T extends RunEventType>(type: T, data: EventData<T>) {
    const event = yield* type === "workflow_cancelled"
      ? appendStopped(data as RunEventData["workflow_cancelled"])
      : writer.append(type, data)
    if (isTerminalEvent(event)) yield* Ref.set(phase, "ended")
    if (type === "workflow_started" && !isNested(event)) {
      yield* untilFirstIsSafe(writer)
      yield* Ref.set(phase, "started")
      yield* onStarted
    }
    return event
  })
  return EventSink.of({ append })
}

const notStarted = (
  cause: Cause.Cause<UnsupportedWorkflow | EventSinkError>,
  stop: Option.Option<StopRequest>
): LaunchError => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure?._tag === "UnsupportedWorkflow")
    return new LaunchError({ reason: "unsupported", message: failure.message })
  if (failure?._tag === "EventSinkError") return new LaunchError({ reason: "storage", message: failure.message })
  const why = Option.match(stop, { onNone: () => Cause.pretty(cause), onSome: ({ message }) => message })
  return new LaunchError({ reason: "process", message: `The run was stopped before it started: ${why}` })
}

/** For what the engine could not say itself: the sink gave up, or the engine broke. */
const endByForce = (writer: EventWriter, cause: Cause.Cause<UnsupportedWorkflow | EventSinkError>) =>
  writer.append("workflow_failed", internalError(`The run broke off: ${Cause.pretty(cause)}.`, 0, null))

/**
 * Runs to the end, whatever ends it; the log then has a terminal event. Fails only for a run that never started, of which
 * the log says nothing. Interrupting it cancels the run.
 */
export const runSession = Effect.fn("RunSession.run")(function* (
  session: Session
): Effect.fn.Return<SessionEnd, LaunchError | EventSinkError> {
  const phase = yield* Ref.make<Phase>("waiting")
  const stop = yield* Ref.make(Option.none<StopRequest>())
  const sink = makeSink(session, phase, stop)

  const worker = yield* Effect.flatMap(Engine, (engine) => engine.run(session.request)).pipe(
    Effect.provide(Layer.provide(session.engine, Layer.succeed(EventSink, sink))),
    Effect.interruptible,
    Effect.fork
  )
  const watcher = yield* session.stopRequested.pipe(
    Effect.flatMap((request) => Ref.set(stop, Option.some(request))),
    Effect.zipRight(Fiber.interrupt(worker)),
    Effect.fork
  )
  const exit = yield* Effect.onInterrupt(Fiber.await(worker), () => Fiber.interrupt(worker))
  yield* Fiber.interrupt(watcher)

  if (Exit.isSuccess(exit)) return exit.value
  const reached = yield* Ref.get(phase)
  if (reached === "waiting") return yield* notStarted(exit.cause, yield* Ref.get(stop))
  if (reached === "started") yield* endByForce(session.writer, exit.cause)
  return { _tag: "Stopped" }
})
