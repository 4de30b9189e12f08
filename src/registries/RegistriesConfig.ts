/**
 * The registries that this user has, kept in `registries.toml`. The only writer of that file: each change happens under
 * a lock and replaces the file whole, so that two commands at once both count.
 */
import { Context, Effect, Layer, Option } from "effect"
import { realpath, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname } from "node:path"
import { type LockBusy, withFileLock } from "../platform/FileLock.ts"
import { Home } from "../platform/Home.ts"
import { type FileError, makePrivateDirectory, readFileIfExists, writeFileAtomic } from "../platform/PrivateFiles.ts"
import {
  type AddedRegistry,
  addRegistry,
  changeDefault,
  checkNewName,
  type RegistriesChange,
  type RemovedRegistry,
  removeRegistry
} from "./RegistriesChange.ts"
import { parseRegistries, printRegistries } from "./RegistriesToml.ts"
import { noRegistries, type RegistriesFile, type Registry, type RegistryKind } from "./Registry.ts"
import { type RegistriesFileError, RegistryError } from "./RegistryError.ts"
import { absoluteSource, inferKind, repository } from "./RegistrySourceText.ts"

export interface NewRegistry {
  readonly name: string
  readonly source: string
  /** Left out: inferred from the source. */
  readonly type?: RegistryKind
  /** Left out: `keep-default`, but the first registry becomes the default anyway. */
  readonly default?: "make-default" | "keep-default"
  /** What a relative folder is relative to. */
  readonly workingDirectory: string
}

type RegistriesReadError = FileError | RegistriesFileError
type RegistriesChangeError = RegistriesReadError | LockBusy | RegistryError

export interface RegistriesConfigShape {
  /** A missing file is an empty one. */
  readonly load: Effect.Effect<RegistriesFile, RegistriesReadError>
  /** A `path` source must be a folder, and is stored as an absolute path. */
  readonly add: (request: NewRegistry) => Effect.Effect<AddedRegistry, RegistriesChangeError>
  /** Nothing but the entry goes: the folder of the registry stays. */
  readonly remove: (name: string) => Effect.Effect<RemovedRegistry, RegistriesChangeError>
  readonly setDefault: (name: string) => Effect.Effect<Registry, RegistriesChangeError>
}

const lookFor = (folder: string): Effect.Effect<"folder" | "no folder"> =>
  Effect.promise(() =>
    stat(folder).then(
      (info) => (info.isDirectory() ? "folder" : "no folder"),
      () => "no folder"
    )
  )

/**
 * Unlike the reference, a folder must be there: a mistyped one would otherwise show only when a host asks for tools.
 */
const settle = Effect.fn("RegistriesConfig.settle")(function* (request: NewRegistry) {
  const { name, source } = request
  const folder = absoluteSource(source, request.workingDirectory, homedir())
  const found = yield* lookFor(folder)
  const type = request.type ?? inferKind(source, found)
  if (type === "path" && found === "no folder") {
    return yield* new RegistryError({
      registry: name,
      problem: "invalid",
      reason: `${folder} is not a folder`,
      remedy: "Give the folder that holds the workflow files or their index.yaml."
    })
  }
  if (type === "github" && !repository.test(source)) {
    return yield* new RegistryError({
      registry: name,
      problem: "invalid",
      reason: `'${source}' is not of the form owner/repository`,
      remedy: "Give the two names with one slash between them."
    })
  }
  return { name, type, source: type === "path" ? folder : source }
})

const make = Effect.map(Home, ({ registriesFile }): RegistriesConfigShape => {
  const load = readFileIfExists(registriesFile).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed(noRegistries),
        onSome: (text) => parseRegistries(text, registriesFile)
      })
    )
  )

  /** A file that is a symbolic link, as managers of settings make them, stays one: its target is replaced. */
  const save = (file: RegistriesFile) =>
    Effect.promise(() => realpath(registriesFile).catch(() => registriesFile)).pipe(
      Effect.flatMap((target) => writeFileAtomic(target, printRegistries(file)))
    )

  const change = <A>(
    edit: (file: RegistriesFile) => Effect.Effect<RegistriesChange<A>, RegistryError>
  ): Effect.Effect<A, RegistriesChangeError> =>
    Effect.zipRight(
      makePrivateDirectory(dirname(registriesFile)),
      load.pipe(
        Effect.flatMap(edit),
        Effect.tap(({ file }) => save(file)),
        Effect.map(({ answer }) => answer),
        withFileLock(`${registriesFile}.lock`)
      )
    )

  return {
    load,
    add: Effect.fn("RegistriesConfig.add")((request) =>
      change((file) =>
        checkNewName(file, request.name).pipe(
          Effect.zipRight(settle(request)),
          Effect.map((registry) => addRegistry(file, registry, request.default ?? "keep-default"))
        )
      )
    ),
    remove: Effect.fn("RegistriesConfig.remove")((name) => change((file) => removeRegistry(file, name))),
    setDefault: Effect.fn("RegistriesConfig.setDefault")((name) => change((file) => changeDefault(file, name)))
  }
})

export class RegistriesConfig extends Context.Tag("conductor/RegistriesConfig")<
  RegistriesConfig,
  RegistriesConfigShape
>() {
  static readonly layer: Layer.Layer<RegistriesConfig, never, Home> = Layer.effect(RegistriesConfig, make)
}
