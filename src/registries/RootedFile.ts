/**
 * Reads ordinary text files below a folder and nothing else: no link that leads out, no pipe or device (which could
 * block for ever), nothing huge.
 */
import { Effect, Schema } from "effect"
import type { Stats } from "node:fs"
import { constants, type FileHandle, open, realpath, stat } from "node:fs/promises"
import { isAbsolute, join, relative, sep } from "node:path"
import { type FileError, fileError } from "../platform/PrivateFiles.ts"

/** In bytes. The largest workflow that people write is a tenth of it. */
const maxFileSize = 1024 * 1024

export class UnsafeFile extends Schema.TaggedError<UnsafeFile>()("UnsafeFile", {
  path: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.path}: ${this.reason}`
  }
}

/** Whether a path lies in a folder and is not that folder; both absolute. */
export const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const decodeUtf8 = (bytes: Uint8Array, path: string): Effect.Effect<string, UnsafeFile> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new UnsafeFile({ path, reason: "it is not UTF-8 text; save it as UTF-8" })
  })

const attempt = <A>(path: string, work: () => Promise<A>): Effect.Effect<A, FileError> =>
  Effect.tryPromise({ try: work, catch: fileError("read", path) })

const checkKind = (info: Stats, path: string): Effect.Effect<void, UnsafeFile> => {
  if (!info.isFile()) return new UnsafeFile({ path, reason: "it is not an ordinary file" })
  return info.size > maxFileSize
    ? new UnsafeFile({ path, reason: `it has ${info.size} bytes; the limit is ${maxFileSize}` })
    : Effect.void
}

const locate = Effect.fn("RootedFile.locate")(function* (root: string, path: string) {
  const file = join(root, path)
  const real = yield* attempt(file, () => realpath(file))
  if (!isBelow(root, real)) {
    return yield* new UnsafeFile({ path: file, reason: "a symbolic link leads out of the registry's folder" })
  }
  return { file, real }
})

/** Whether `readRootedFile` would read this file now, without opening it. */
export const checkRootedFile = Effect.fn("RootedFile.check")(function* (root: string, path: string) {
  const { file, real } = yield* locate(root, path)
  yield* checkKind(yield* attempt(file, () => stat(real)), file)
})

const readOpened = Effect.fn("RootedFile.readOpened")(function* (handle: FileHandle, path: string) {
  const info = yield* attempt(path, () => handle.stat())
  yield* checkKind(info, path)
  // One byte more than there should be shows a file that grows, which must not be read without bound.
  const buffer = Buffer.alloc(info.size + 1)
  let length = 0
  let bytesRead: number
  do {
    bytesRead = (yield* attempt(path, () => handle.read(buffer, length, buffer.length - length, length))).bytesRead
    length += bytesRead
  } while (bytesRead > 0 && length < buffer.length)
  if (length > info.size) return yield* new UnsafeFile({ path, reason: "it grows while it is read; repeat" })
  return yield* decodeUtf8(buffer.subarray(0, length), path)
})

/**
 * The text of the file at `path`, a path relative to `root`. Links are followed as long as they stay below `root`, which
 * must be a real path itself.
 */
export const readRootedFile = Effect.fn("RootedFile.read")(function* (root: string, path: string) {
  const { file, real } = yield* locate(root, path)
  // Opening a pipe would wait for its writer, and a device may act on being opened.
  yield* checkKind(yield* attempt(file, () => stat(real)), file)
  // The file may have been replaced since: O_NOFOLLOW refuses a link, O_NONBLOCK does not wait for a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  return yield* Effect.acquireUseRelease(
    attempt(file, () => open(real, flags)),
    (handle) => readOpened(handle, file),
    (handle) => Effect.promise(() => handle.close())
  )
})
