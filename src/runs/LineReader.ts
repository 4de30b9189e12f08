/** Reads the complete lines of a growing file from a known place on. It never reads a byte twice and never writes. */
import { Effect } from "effect"
import { open, type FileHandle } from "node:fs/promises"
import type { Slice } from "./Slices.ts"
import { storeFaultOf } from "./StoreFault.ts"

/** `end`: byte offset after the last of `lines`. */
export interface LineSlice extends Slice {
  /** Without their line ends. */
  readonly lines: ReadonlyArray<string>
}

/** Bytes. A longer line makes the slice that holds it longer. */
const sliceSize = 1 << 20

const newline = 0x0a

const readExactly = async (handle: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

const readFrom = async (handle: FileHandle, offset: number): Promise<LineSlice> => {
  const { size } = await handle.stat()
  const chunks: Array<Buffer> = []
  let read = 0
  while (offset + read < size) {
    // As much again as before, so that the pieces of a long line are few.
    const chunk = await readExactly(handle, offset + read, Math.min(Math.max(sliceSize, read), size - offset - read))
    if (chunk.length === 0) break
    chunks.push(chunk)
    read += chunk.length
    if (chunk.includes(newline)) break
  }
  const bytes = Buffer.concat(chunks)
  const length = bytes.lastIndexOf(newline) + 1
  const end = offset + length
  const lines = length === 0 ? [] : bytes.toString("utf8", 0, length - 1).split("\n")
  return { lines, end, exhausted: length === 0 || end >= size }
}

/** A file that is not there has no lines. A last line without its line end is not complete and is left for later. */
export const readLines = Effect.fn("LineReader.readLines")(function* (path: string, offset: number) {
  return yield* Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => open(path, "r"), catch: storeFaultOf("read", path) }),
    (handle) => Effect.tryPromise({ try: () => readFrom(handle, offset), catch: storeFaultOf("read", path) }),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.succeed<LineSlice>({ lines: [], end: offset, exhausted: true })
    )
  )
})
