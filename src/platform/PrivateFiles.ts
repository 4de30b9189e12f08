/**
 * Files and folders that only their owner may read (0600, 0700) and that are never seen half written.
 * Never changes the mode of something that was there before: whoever made it decided that.
 */
import { Effect, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { open, readFile, rename, unlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { makeFolders } from "./MakeFolders.ts"

const remedies: { readonly [code: string]: string } = {
  ENOSPC: "The disk is full: free some space and repeat.",
  EDQUOT: "Your disk quota is used up: free some space and repeat.",
  EROFS: "The file system is read-only: set CONDUCTOR_HOME to a folder on a writable one.",
  EACCES: "You may not do this here: check the owner and mode of the folder, or set CONDUCTOR_HOME to another one.",
  EPERM: "You may not do this here: check the owner and mode of the folder, or set CONDUCTOR_HOME to another one.",
  ENOENT: "Check that the path exists and is spelled as it is on the disk.",
  ENOTDIR: "A part of the path is a file: move that file away, or set CONDUCTOR_HOME to another folder.",
  EISDIR: "There is a folder where a file is needed: move it away and repeat.",
  EEXIST: "Something else has this name already: move it away and repeat.",
  EMFILE: "This process has too many open files: raise the limit (`ulimit -n`) and repeat.",
  ELOOP: "The path goes through a circle of symbolic links: remove one of them."
}

/** `code` is the system's error code (`ENOSPC`), or `UNKNOWN` when it gave none. */
export class FileError extends Schema.TaggedError<FileError>()("FileError", {
  operation: Schema.Literal("make folder", "write", "read", "create", "remove", "inspect"),
  path: Schema.String,
  code: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    const remedy = remedies[this.code]
    return `Cannot ${this.operation} ${this.path}: ${this.reason}.${remedy === undefined ? "" : ` ${remedy}`}`
  }
}

/** Turns what a call of `node:fs` threw into a `FileError` about `path`. */
export const fileError =
  (operation: FileError["operation"], path: string) =>
  (cause: unknown): FileError => {
    const code =
      cause instanceof Error && "code" in cause && typeof cause.code === "string" && cause.code !== ""
        ? cause.code
        : "UNKNOWN"
    // Node's text repeats the call and the path ("ENOSPC: no space left on device, write '/x'"), which we name already.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/, \w+(?: '.*)?$/s, "")
    return new FileError({ operation, path, code, reason })
  }

/** Makes a folder and its missing parents, each 0700. A folder that exists already is fine. */
export const makePrivateDirectory = Effect.fn("PrivateFiles.makePrivateDirectory")(function* (path: string) {
  yield* Effect.try({ try: () => makeFolders(path), catch: fileError("make folder", path) })
})

/** Codes with which a system says that it cannot flush a folder at all: its renames are as durable as they get. */
const cannotSyncFolders = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES"])

const syncDirectory = async (path: string): Promise<void> => {
  try {
    const handle = await open(path, "r")
    await handle.sync().finally(() => handle.close())
  } catch (cause) {
    if (!cannotSyncFolders.has(fileError("write", path)(cause).code)) throw cause
  }
}

/** Makes a new file and flushes it; a file that could not be written to its end is taken away again. */
const writeNewFile = async (path: string, bytes: string | Uint8Array): Promise<void> => {
  const handle = await open(path, "wx", 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (cause) {
    await unlink(path).catch(() => undefined)
    throw cause
  } finally {
    await handle.close()
  }
}

const replaceFile = async (path: string, bytes: string | Uint8Array): Promise<void> => {
  const staged = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  await writeNewFile(staged, bytes)
  try {
    await rename(staged, path)
  } catch (cause) {
    await unlink(staged).catch(() => undefined)
    throw cause
  }
  await syncDirectory(dirname(path))
}

/**
 * Replaces a file (0600) so that a reader, or a machine that stops, sees the old bytes or the new ones, never a mixture.
 * Text is written as UTF-8.
 */
export const writeFileAtomic = Effect.fn("PrivateFiles.writeFileAtomic")(function* (
  path: string,
  bytes: string | Uint8Array
) {
  yield* Effect.tryPromise({
    try: () => replaceFile(path, bytes),
    catch: fileError("write", path)
  }).pipe(Effect.uninterruptible)
})

/** The text of a file (UTF-8), or none when there is no such file. */
export const readFileIfExists = Effect.fn("PrivateFiles.readFileIfExists")(function* (path: string) {
  return yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: fileError("read", path)
  }).pipe(
    Effect.map(Option.some),
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.succeed(Option.none<string>())
    )
  )
})

/**
 * Makes a file (0600) with these bytes unless the name is taken: of many who try, one creates it. The name is there a
 * moment before the bytes are, so a reader must expect an empty file.
 */
export const createExclusive = Effect.fn("PrivateFiles.createExclusive")(function* (
  path: string,
  bytes: string | Uint8Array
) {
  return yield* Effect.tryPromise({
    try: () => writeNewFile(path, bytes),
    catch: fileError("create", path)
  }).pipe(
    Effect.as("created" as const),
    Effect.catchIf(
      (error) => error.code === "EEXIST",
      () => Effect.succeed("exists" as const)
    ),
    Effect.uninterruptible
  )
})

/** Removes a file; one that is gone already is fine. */
export const removeFileIfExists = Effect.fn("PrivateFiles.removeFileIfExists")(function* (path: string) {
  yield* Effect.tryPromise({ try: () => unlink(path), catch: fileError("remove", path) }).pipe(
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.void
    )
  )
})
