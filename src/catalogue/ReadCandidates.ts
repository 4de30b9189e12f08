/** From registry entries to candidates: reads every file, pins it, and reads what its text tells while there is time. */
import { Clock, Duration, Effect, Either, Option } from "effect"
import { type Pin, pinOf } from "../domain/Pin.ts"
import { readMetadata } from "../language/Metadata.ts"
import { type RegistryEntry, RegistrySource } from "../registries/RegistrySource.ts"
import { type Candidate, candidateOf, type WorkflowFacts } from "./Candidate.ts"
import type { ExcludedEntry } from "./CatalogueEntry.ts"
import { outputFactsOf } from "./OutputFacts.ts"

const atOnce = { concurrency: 16 }

interface PinnedText {
  readonly entry: RegistryEntry
  readonly text: string
  readonly pin: Pin
}

/** A source gives text without its byte order mark, while a pin is of the bytes. */
const BYTE_ORDER_MARK = "\uFEFF"
const pinOfText = (text: string, size: number): Pin =>
  pinOf(size === Buffer.byteLength(BYTE_ORDER_MARK + text) ? BYTE_ORDER_MARK + text : text)

const factsOf = (text: string): WorkflowFacts => {
  const metadata = readMetadata(text)
  return { metadata, outputs: outputFactsOf(text, metadata) }
}

interface ReadCandidates {
  readonly candidates: ReadonlyArray<Candidate>
  readonly excluded: ReadonlyArray<ExcludedEntry>
  /** `late`: some workflows were not read in time, and would be the next time. */
  readonly outcome: "complete" | "late"
}

/**
 * `sizeOf` gives the size in bytes that a file had before. Without a pin a workflow cannot be launched, so one whose file
 * cannot be read in time is excluded; when only the time to understand it is missing, it becomes a degraded candidate.
 */
export const readCandidates = Effect.fn("ReadCandidates.read")(function* (
  entries: ReadonlyArray<RegistryEntry>,
  sizeOf: (file: string) => number,
  deadline: Duration.DurationInput
) {
  const source = yield* RegistrySource
  const within = Duration.format(deadline)
  const deadlineAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(deadline)
  const excluded = ({ key, registry }: RegistryEntry, reason: string): ExcludedEntry => ({
    registry,
    key,
    rung: "rejected",
    reason
  })
  const readText = (entry: RegistryEntry): Effect.Effect<Either.Either<PinnedText, ExcludedEntry>> =>
    Effect.gen(function* () {
      const remaining = Math.max(0, deadlineAt - (yield* Clock.currentTimeMillis))
      return yield* Effect.disconnect(source.read(entry)).pipe(Effect.timeoutOption(remaining))
    }).pipe(
      Effect.match({
        onFailure: (error) => Either.left(excluded(entry, error.message)),
        onSuccess: Option.match({
          onNone: () => Either.left(excluded(entry, `its file was not read within ${within}; restart the server`)),
          onSome: (text) => Either.right({ entry, text, pin: pinOfText(text, sizeOf(entry.file)) })
        })
      })
    )
  const understand = ({ entry, pin, text }: PinnedText) =>
    Effect.gen(function* () {
      yield* Effect.yieldNow()
      const isLate = (yield* Clock.currentTimeMillis) >= deadlineAt
      const facts = isLate ? Either.left(`it was not read within ${within}`) : Either.right(factsOf(text))
      return candidateOf(entry, pin, facts)
    })

  const texts = yield* Effect.forEach(entries, readText, atOnce)
  const candidates = yield* Effect.forEach(
    texts.flatMap((text) => (Either.isRight(text) ? [text.right] : [])),
    understand
  )
  const isLate = (yield* Clock.currentTimeMillis) >= deadlineAt
  const read: ReadCandidates = {
    candidates,
    excluded: texts.flatMap((text) => (Either.isLeft(text) ? [text.left] : [])),
    outcome: isLate ? "late" : "complete"
  }
  return read
})
