/**
 * The file system as a run sees it that goes on from its pinned copy: the files of the workflow are where they were and
 * what they were, whatever has become of the originals. Everything else is the real thing.
 */
import { FileSystem, make, Size, type File } from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import type { PinnedFile } from "./RunStore.ts"

const infoOf = (content: Uint8Array): File.Info => ({
  type: "File",
  mtime: Option.none(),
  atime: Option.none(),
  birthtime: Option.none(),
  dev: 0,
  ino: Option.none(),
  mode: 0o400,
  nlink: Option.none(),
  uid: Option.none(),
  gid: Option.none(),
  rdev: Option.none(),
  size: Size(content.length),
  blksize: Option.none(),
  blocks: Option.none()
})

export const withPinnedFiles = (real: FileSystem, pinned: ReadonlyArray<PinnedFile>): FileSystem => {
  const contents = new Map(pinned.map(({ content, path }) => [path, content]))
  const lookUp = (path: string) => Option.fromNullable(contents.get(path))
  return make({
    ...real,
    stat: (path) =>
      Option.match(lookUp(path), {
        onNone: () => real.stat(path),
        onSome: (content) => Effect.succeed(infoOf(content))
      }),
    readFile: (path) => Option.match(lookUp(path), { onNone: () => real.readFile(path), onSome: Effect.succeed })
  })
}
