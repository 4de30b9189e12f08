/**
 * The one pen of an event log file. A disk that refuses is waited for: events queue in memory in their order and the
 * run goes on, since losing a run to a full disk would be worse. It must never leave a gap, a torn line in front of
 * another, or an event behind the terminal one.
 */
import { Chunk, Clock, Console, Effect, Option, Schedule } from "effect"
import { constants } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { type EventData, isTerminalEvent, type RunEvent, type RunEventType } from "../domain/RunEvent.ts"
import { EventSinkError } from "../engine/EventSink.ts"
import { decodeEventLine, encodeEventLine } from "./EventLine.ts"
import type { EventWriter } from "./EventLog.ts"
import { readLines, type LineSlice } from "./LineReader.ts"
import type { RunStoreError } from "./RunErrors.ts"
import { foldSlices } from "./Slices.ts"
import { storeFaultOf } from "./StoreFault.ts"

/** Bytes that may wait in memory for a disk. Beyond it the run has to stop; its last event is still taken. */
const queueLimit = 64 * 1024 * 1024

const retryPolicy = Schedule.exponential("50 millis").pipe(Schedule.union(Schedule.spaced("2 seconds")))

/** What a group's member says of its end is said again by the group, and only that counts. */
const isSaidAgain = ({ data, type }: RunEvent): boolean =>
  data.group_name !== undefined && !/^(parallel|for_each)_/.test(type)

/** The events that something else may rely on as soon as they are appended: they are forced to the disk. */
const isBoundary = (event: RunEvent): boolean =>
  /^workflow_|_(completed|failed)$/.test(event.type) && !isSaidAgain(event)

interface LogEnd {
  readonly offset: number
  readonly seq: number
  readonly timestamp: number
}

const EMPTY_LOG: LogEnd = { offset: 0, seq: 0, timestamp: 0 }

const lastEvent = (lines: ReadonlyArray<string>): Option.Option<RunEvent> => {
  for (const line of lines.toReversed()) {
    const event = decodeEventLine(line)
    if (Option.isSome(event)) return event
  }
  return Option.none()
}

/** The end of the complete lines, and what the next event has to follow. */
const findEnd = (path: string): Effect.Effect<LogEnd, RunStoreError> =>
  foldSlices(
    (from) => readLines(path, from),
    0,
    EMPTY_LOG,
    (known, { end: offset, lines }: LineSlice): LogEnd =>
      Option.match(lastEvent(lines), {
        onNone: () => ({ ...known, offset }),
        onSome: ({ seq, timestamp }) => ({ offset, seq, timestamp })
      })
  )

const writeFully = async (handle: FileHandle, bytes: Buffer, offset: number): Promise<void> => {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written)
    written += bytesWritten
  }
}

/** What a file system answers that cannot force a file to its disk at all: its writes are as durable as they get. */
const cannotForce: ReadonlySet<string | undefined> = new Set(["EINVAL", "ENOSYS", "ENOTSUP"])

const force = (handle: FileHandle): Promise<void> =>
  handle.datasync().catch((cause: NodeJS.ErrnoException) => {
    if (!cannotForce.has(cause.code)) throw cause
  })

interface QueuedLine {
  readonly bytes: Buffer
  readonly boundary: boolean
}

/** What the pen knows. It changes only while its one permit is held. */
interface Pen extends LogEnd {
  /** Lines that are not on disk yet, oldest first; empty as long as the disk takes everything. */
  readonly queue: Chunk.Chunk<QueuedLine>
  /** Of the queue. */
  readonly bytes: number
  /** Set from the first refusal of the disk until the log itself tells of it. */
  readonly refusal?: RunStoreError
}

/** `now` in milliseconds. A clock that was set back must not make later events look earlier. */
const nextEvent = <T extends RunEventType>(pen: Pen, type: T, data: EventData<T>, now: number): RunEvent =>
  ({ seq: pen.seq + 1, type, timestamp: Math.max(pen.timestamp, now / 1000), data }) as RunEvent

const enqueue = (pen: Pen, event: RunEvent): Pen => {
  const { seq, timestamp } = event
  const bytes = Buffer.from(encodeEventLine(event))
  const queue = Chunk.append(pen.queue, { bytes, boundary: isBoundary(event) })
  return { ...pen, seq, timestamp, queue, bytes: pen.bytes + bytes.length }
}

/** The oldest line is on disk. */
const written = (pen: Pen, { length }: Buffer): Pen => ({
  ...pen,
  offset: pen.offset + length,
  queue: Chunk.drop(pen.queue, 1),
  bytes: pen.bytes - length
})

const tellRefusal = (pen: Pen, now: number): Pen => {
  const { refusal, ...rest } = pen
  if (refusal === undefined) return pen
  const warning = `Events could not be written for a while and were kept in memory. ${refusal.message}`
  return enqueue(rest, nextEvent(rest, "run_warning", { warning }, now))
}

/**
 * Opens the log for appending. A torn last line (a writer that was killed) is cut off; numbers and times continue from
 * what is there. Closing the scope waits, without limit, until the disk has taken everything.
 */
export const openEventWriter = Effect.fn("FileEventWriter.open")(function* (path: string) {
  const handle = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(path, constants.O_RDWR | constants.O_CREAT, 0o600),
      catch: storeFaultOf("write", path)
    }),
    (opened) => Effect.promise(() => opened.close())
  )
  const end = yield* findEnd(path)
  yield* Effect.tryPromise({ try: () => handle.truncate(end.offset), catch: storeFaultOf("write", path) })

  const scope = yield* Effect.scope
  const exclusive = (yield* Effect.makeSemaphore(1)).withPermits(1)
  let pen: Pen = { ...end, queue: Chunk.empty(), bytes: 0 }

  /** The place of a line is fixed: one that the disk took in part is written again over that part. */
  const writeLine = ({ boundary, bytes }: QueuedLine) =>
    Effect.tryPromise({
      try: async () => {
        await writeFully(handle, bytes, pen.offset)
        if (boundary) await force(handle)
        pen = written(pen, bytes)
      },
      catch: storeFaultOf("write", path)
    })

  /** Uninterruptible, since a write that nobody waits for any more would still be under way behind the next one. */
  const flush = Effect.suspend(() => Effect.forEach(pen.queue, writeLine, { discard: true })).pipe(
    Effect.uninterruptible
  )

  /** What was refused is told in the log before anything else, but never behind the end of the run. */
  const recover = exclusive(
    Effect.gen(function* () {
      yield* flush
      const now = yield* Clock.currentTimeMillis
      pen = tellRefusal(pen, now)
      yield* flush
    })
  )
  const settled = recover.pipe(Effect.retry(retryPolicy), Effect.orDie)
  yield* Effect.addFinalizer(() => settled)

  const queueUp = (refusal: RunStoreError, last: RunEvent) =>
    Effect.gen(function* () {
      if (!isTerminalEvent(last)) pen = { ...pen, refusal }
      yield* Console.error(`${refusal.message} The run goes on; its events wait in memory.`)
      yield* Effect.forkIn(settled, scope)
    })

  const append = Effect.fnUntraced(
    function* <T extends RunEventType>(type: T, data: EventData<T>) {
      const now = yield* Clock.currentTimeMillis
      const blocked = Chunk.isNonEmpty(pen.queue)
      const terminal = isTerminalEvent(nextEvent(pen, type, data, now))
      if (blocked && !terminal && pen.bytes > queueLimit) {
        return yield* new EventSinkError({
          message: `The disk has refused the events of this run for too long, and memory for them is used up. Path: ${path}`
        })
      }
      if (terminal) pen = tellRefusal(pen, now)
      const event = nextEvent(pen, type, data, now)
      pen = enqueue(pen, event)
      if (!blocked) yield* Effect.catchAll(flush, (refusal) => queueUp(refusal, event))
      return event
    },
    (effect) => exclusive(Effect.uninterruptible(effect))
  )
  return { append, settled } satisfies EventWriter
})
