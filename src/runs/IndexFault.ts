/** What can be wrong with the index file, from what the database driver reports. */
import { Data, Effect, ParseResult, Schedule } from "effect"

/**
 * - `damaged`: the file is no index of ours any more; it has to go.
 * - `busy`: another process writes; asking again helps.
 * - `unusable`: it cannot be used now (read-only, no permission, made by a newer version); it is left alone.
 */
export class IndexFault extends Data.TaggedError("IndexFault")<{
  readonly kind: "damaged" | "busy" | "unusable"
  readonly detail: string
}> {}

const codeOf = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause ? codeOf(cause.cause) : undefined
}

const detailOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? detailOf(cause.cause) : cause.message
}

const kindOf = (code: string, detail: string): IndexFault["kind"] => {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return "busy"
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return "damaged"
  // Tables that are not ours.
  return code === "SQLITE_ERROR" && /no such (table|column)|has no column|already exists/.test(detail)
    ? "damaged"
    : "unusable"
}

export const indexFault = (cause: unknown): IndexFault => {
  if (cause instanceof IndexFault) return cause
  const code = codeOf(cause)
  const detail = detailOf(cause)
  if (code !== undefined) return new IndexFault({ kind: kindOf(code, detail), detail: `${detail} (${code})` })
  // A row that cannot be decoded was written by something else.
  return new IndexFault({ kind: ParseResult.isParseError(cause) ? "damaged" : "unusable", detail })
}

/** A statement waits for a lock itself, for as long as a process may stand still; in between others get their turn. */
export const retryBusy = <A, R>(effect: Effect.Effect<A, IndexFault, R>): Effect.Effect<A, IndexFault, R> =>
  Effect.retry(effect, {
    schedule: Schedule.intersect(Schedule.jittered(Schedule.spaced("40 millis")), Schedule.recurs(4)),
    while: ({ kind }) => kind === "busy"
  })
