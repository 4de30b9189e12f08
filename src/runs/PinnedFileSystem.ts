/**
 * The file system as a run sees it that goes on from its pinned copy: the files of the workflow are where they were and
 * what they were, whatever has become of the originals. Everything else is the real thing.
 */
import { FileSystem, make, Size, type File } from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import { sep } from "node:path"
import type { PinnedFile } from "./RunStore.ts"

const infoOf = (type: File.Type, size: number): File.Info => ({
  type,
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
  size: Size(size),
  blksize: Option.none(),
  blocks: Option.none()
})

export const withPinnedFiles = (real: FileSystem, pinned: ReadonlyArray<PinnedFile>): FileSystem => {
  const contents = new Map(pinned.map(({ content, path }) => [path, content]))
  const lookUp = (path: string) => Option.fromNullable(contents.get(path))
  /** A folder that the run has files of holds those, whatever it holds by now. */
  const namesIn = (folder: string): ReadonlyArray<string> => {
    const below = folder.endsWith(sep) ? folder : `${folder}${sep}`
    const inside = [...contents.keys()].filter((path) => path.startsWith(below))
    return [...new Set(inside.map((path) => path.slice(below.length).split(sep, 1).join("")))]
  }
  return make({
    ...real,
    stat: (path) =>
      Option.match(lookUp(path), {
        onNone: () => (namesIn(path).length > 0 ? Effect.succeed(infoOf("Directory", 0)) : real.stat(path)),
        onSome: (content) => Effect.succeed(infoOf("File", content.length))
      }),
    readDirectory: (path, options) => {
      const names = namesIn(path)
      return names.length > 0 ? Effect.succeed([...names]) : real.readDirectory(path, options)
    },
    readFile: (path) => Option.match(lookUp(path), { onNone: () => real.readFile(path), onSome: Effect.succeed })
  })
}
