/** From what was typed after `run`, `validate` or `show` to a workflow file. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import { basename, dirname, extname, join, resolve } from "node:path"
import { nearest } from "../domain/NearMatch.ts"
import { parseReference, type RegisteredReference } from "../language/Reference.ts"
import { chooseRegistry } from "../registries/ChooseRegistry.ts"
import { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import { RegistrySource } from "../registries/RegistrySource.ts"
import { failed } from "./CliFailure.ts"

export interface LocatedWorkflow {
  /** Absolute path. */
  readonly file: string
  /** `file` for a file that was named itself. */
  readonly registry: string
  readonly key: string
}

const notYet = failed(
  "A workflow of a repository that is not registered cannot be run by name yet.\n" +
    "Clone the repository and add its folder: conductor registry add <name> <folder>"
)

const isWorkflowFile = (name: string): boolean => /\.ya?ml$/i.test(name)

/** The path of the workflow file that was probably meant. */
const nearFile = Effect.fnUntraced(function* (text: string) {
  const files = yield* FileSystem
  const folder = dirname(text)
  const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
  const candidates = names.filter(isWorkflowFile)
  const near =
    candidates.find((name) => basename(name, extname(name)) === basename(text)) ?? nearest(basename(text), candidates)
  return near === undefined ? Option.none() : Option.some(folder === "." ? near : join(folder, near))
})

const didYouMean = Effect.fnUntraced(function* (text: string) {
  const near = yield* nearFile(text)
  return Option.match(near, { onNone: () => "", onSome: (file) => ` Did you mean '${file}'?` })
})

const isFolder = (path: string) =>
  failed(
    `'${path}' is a folder: name a workflow file in it.\nTo use its workflows by name: conductor registry add <name> ${path}`
  )

const named = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem
  const info = yield* Effect.option(files.stat(path))
  if (Option.isNone(info)) return yield* failed(`There is no file '${path}'.${yield* didYouMean(path)}`)
  if (info.value.type === "Directory") return yield* isFolder(path)
  const file = resolve(path)
  return { file, registry: "file", key: basename(file, extname(file)) } satisfies LocatedWorkflow
})

const registered = Effect.fnUntraced(function* (reference: RegisteredReference) {
  const config = yield* RegistriesConfig
  const source = yield* RegistrySource
  const { workflow } = reference
  const chosen = yield* chooseRegistry(yield* config.load, reference).pipe(
    Effect.catchTag("NoDefaultRegistry", ({ message }) =>
      Effect.flatMap(didYouMean(workflow), (hint) => failed(`${message}${hint}`))
    )
  )
  const { file, key, registry } = yield* source.resolve(chosen, workflow)
  return { file, registry, key } satisfies LocatedWorkflow
})

export const resolveWorkflow = Effect.fn("resolveWorkflow")(function* (text: string) {
  const files = yield* FileSystem
  const info = yield* Effect.option(files.stat(text))
  const type = Option.isSome(info) ? info.value.type : undefined
  const reference = yield* parseReference(text, type === "File" ? "is-file" : "no-file")
  switch (reference._tag) {
    case "File":
      return yield* named(reference.path)
    case "AdHoc":
      return yield* notYet
    case "Registered":
      // A folder of the name of a workflow is none, but it is what was meant when there is no such workflow.
      return yield* type === "Directory"
        ? Effect.catchAll(registered(reference), () => isFolder(text))
        : registered(reference)
  }
})
