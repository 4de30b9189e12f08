/** Registries that are folders of this machine, read in place. Writes nothing and runs nothing. */
import { Effect, Either, Layer, Option } from "effect"
import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, join, relative } from "node:path"
import { fileError } from "../platform/PrivateFiles.ts"
import { filesAtOnce, listFolder, listWorkflowFiles } from "./FolderListing.ts"
import type { Registry } from "./Registry.ts"
import { RegistryError } from "./RegistryError.ts"
import { type IndexedWorkflow, parseIndex, type RegistryIndex } from "./RegistryIndex.ts"
import {
  entryOf,
  type EntryProblem,
  listingOf,
  type RegistryEntry,
  RegistrySource,
  type RegistrySourceShape
} from "./RegistrySource.ts"
import { absoluteSource } from "./RegistrySourceText.ts"
import { checkRootedFile, readRootedFile } from "./RootedFile.ts"

const unavailable = (registry: string, reason: string, remedy: string): RegistryError =>
  new RegistryError({ registry, problem: "unavailable", reason, remedy })

const unsupported = ({ name, source }: Registry): RegistryError =>
  new RegistryError({
    registry: name,
    problem: "unsupported",
    reason: `it is a repository (${source}), and registries of type github are not supported yet`,
    remedy:
      `Clone ${source} with git, then 'conductor registry remove ${name}' and ` +
      `'conductor registry add ${name} <folder of the clone>'.`
  })

/** The real path of a folder. A relative source, as the reference writes it, means each command's working directory. */
const openRoot = (registry: string, source: string): Effect.Effect<string, RegistryError> => {
  const directory = absoluteSource(source, process.cwd(), homedir())
  return Effect.tryPromise({ try: () => realpath(directory), catch: fileError("read", directory) }).pipe(
    Effect.mapError(({ path, reason }) =>
      unavailable(registry, `${path}: ${reason}`, "Correct the folder, or remove the registry.")
    )
  )
}

/** Names of what is in the folder, but for folders. */
const namesIn = (registry: string, root: string): Effect.Effect<ReadonlyArray<string>, RegistryError> =>
  Effect.mapError(listFolder(root), ({ path, reason }) =>
    unavailable(registry, `${path}: ${reason}`, "Check that it is a folder that you may read.")
  )

const entryFrom = (registry: string, root: string, indexed: IndexedWorkflow): RegistryEntry => ({
  registry,
  key: indexed.key,
  root,
  file: join(root, indexed.path),
  ...(indexed.description === undefined ? {} : { description: indexed.description }),
  ...("input" in indexed ? { indexInput: indexed.input } : {}),
  ...("mcp" in indexed ? { indexMcp: indexed.mcp } : {})
})

const listIndexed = (registry: string, root: string, { workflows, problems }: RegistryIndex) =>
  Effect.partition(
    workflows,
    (indexed) =>
      checkRootedFile(root, indexed.path).pipe(
        Effect.mapBoth({
          onSuccess: () => entryFrom(registry, root, indexed),
          onFailure: (error): EntryProblem => ({ key: indexed.key, reason: error.message })
        })
      ),
    { concurrency: filesAtOnce }
  ).pipe(Effect.map(([broken, entries]) => listingOf(entries, [...problems, ...broken])))

const indexFiles = [
  { name: "index.yaml", format: "yaml" },
  { name: "index.json", format: "json" }
] as const

/** The index of a folder, or none when it has no index file at all. */
const findIndex = Effect.fn("PathRegistrySource.findIndex")(function* (
  registry: string,
  root: string,
  names: ReadonlyArray<string>
) {
  const found = indexFiles.find(({ name }) => names.includes(name))
  if (found === undefined) return Option.none<RegistryIndex>()
  const repair = `Correct ${found.name}, or delete it to serve every workflow file of the folder.`
  const text = yield* readRootedFile(root, found.name).pipe(
    Effect.mapError((error) => unavailable(registry, error.message.replace(/\.$/, ""), repair))
  )
  const index = yield* Either.mapLeft(parseIndex(text, found.format), ({ line, column, reason }) => {
    const place = `${join(root, found.name)}${line === undefined ? "" : `:${line}:${column ?? 1}`}`
    return unavailable(registry, `${place}: ${reason}`, repair)
  })
  return Option.some(index)
})

const list = Effect.fn("RegistrySource.list")(function* (registry: Registry) {
  if (registry.type === "github") return yield* unsupported(registry)
  const root = yield* openRoot(registry.name, registry.source)
  const names = yield* namesIn(registry.name, root)
  const index = yield* findIndex(registry.name, root, names)
  return yield* Option.match(index, {
    onNone: () => listWorkflowFiles(registry.name, root, names),
    onSome: (found) => listIndexed(registry.name, root, found)
  })
})

const source: RegistrySourceShape = {
  list,
  directory: Effect.fn("RegistrySource.directory")(function* (directory) {
    const label = `dir:${basename(directory)}`
    const root = yield* openRoot(label, directory)
    return yield* listWorkflowFiles(label, root, yield* namesIn(label, root))
  }),
  resolve: Effect.fn("RegistrySource.resolve")(function* (registry, key) {
    return yield* entryOf(yield* list(registry), registry, key)
  }),
  read: Effect.fn("RegistrySource.read")(function* (entry) {
    return yield* readRootedFile(entry.root, relative(entry.root, entry.file)).pipe(
      Effect.mapError(
        (error) =>
          new RegistryError({
            registry: entry.registry,
            problem: error._tag === "UnsafeFile" ? "unsafe" : "unavailable",
            reason: `the workflow '${entry.key}' cannot be read: ${error.message.replace(/\.$/, "")}`,
            remedy: "Correct the file and repeat."
          })
      )
    )
  })
}

export const layer: Layer.Layer<RegistrySource> = Layer.succeed(RegistrySource, source)
