/**
 * The files in which a workspace tells agents how to work in it (workflow language §5.14): looked for from a folder up to
 * the root of its repository, and of two with the same name the nearer one counts.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Option } from "effect"
import { upToRepository } from "../Repository.ts"
import { headText, readHead } from "../skills/Head.ts"
import { isFile } from "../LookAtFiles.ts"

const NAMES = ["AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"]
const FOLDER = ".github/instructions"
const SUFFIX = ".instructions.md"

const nearest = (name: string, around: ReadonlyArray<string>) =>
  Effect.flatMap(Path, (path) =>
    Effect.findFirst(
      around.map((folder) => path.join(folder, name)),
      isFile
    )
  )

/** The part of a glob before its first wildcard, as a folder. */
const literalFolder = (glob: string): string => {
  const segments = glob.trim().split("/")
  const wild = segments.findIndex((segment) => /[*?[{]/.test(segment))
  return (wild === -1 ? segments : segments.slice(0, wild)).join("/")
}

/** Whether a file of scoped instructions says that it holds for what is in or around `directory`. */
const appliesTo = Effect.fnUntraced(function* (file: string, root: string, directory: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const text = yield* Effect.orElseSucceed(files.readFileString(file), () => "")
  const globs = Either.match(readHead(text, file), {
    onLeft: () => undefined,
    onRight: (head) => headText(head, "applyTo")
  })
  const isIn = (inner: string, outer: string) => `${inner}${path.sep}`.startsWith(`${outer}${path.sep}`)
  return (globs ?? "").split(",").some((glob) => {
    if (glob.trim() === "") return false
    const scope = path.join(root, literalFolder(glob))
    const trimmed = scope.endsWith(path.sep) ? scope.slice(0, -1) : scope
    return isIn(directory, trimmed) || isIn(trimmed, directory)
  })
})

/** Names relative to the folder of instructions, whatever folders they are in there. */
const scopedIn = Effect.fnUntraced(function* (root: string, directory: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const folder = path.join(root, FOLDER)
  const names = yield* Effect.orElseSucceed(files.readDirectory(folder, { recursive: true }), () => [])
  const candidates = names.filter((name) => name.endsWith(SUFFIX)).toSorted()
  const applying = yield* Effect.filter(candidates, (name) => appliesTo(path.join(folder, name), root, directory))
  return applying.map((name) => [name, path.join(folder, name)] as const)
})

/** Absolute paths, in the order in which they are put before a prompt. `directory` is absolute. */
export const discoverInstructions = Effect.fn("DiscoverInstructions.discover")(function* (directory: string) {
  const around = yield* upToRepository(directory)
  const named = yield* Effect.forEach(NAMES, (name) => nearest(name, around))
  const scoped = yield* Effect.forEach(around, (root) => scopedIn(root, directory))
  const nearestScoped = new Map(scoped.toReversed().flat())
  return [...named.flatMap(Option.toArray), ...nearestScoped.values()]
})
