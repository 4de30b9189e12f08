/** The text of a source file: UTF-8, with a byte order mark tolerated. */
import { Either } from "effect"

export interface NotUtf8 {
  /** Of the first byte that is not UTF-8; both count from 1. */
  readonly line: number
  readonly column: number
}

/** A mark at the very beginning is dropped; everything else is kept as it is. */
export const decodeText = (bytes: Uint8Array): Either.Either<string, NotUtf8> =>
  Either.mapLeft(
    Either.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    () => {
      const lossy = new TextDecoder("utf-8").decode(bytes)
      const before = lossy.slice(0, Math.max(0, lossy.indexOf("\uFFFD"))).split("\n")
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    }
  )
