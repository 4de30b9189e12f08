/** From what was typed after `run`, `validate` or `show` to a workflow file. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { basename, extname, resolve } from "node:path"
import { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import { requireRegistry } from "../registries/RegistriesChange.ts"
import { RegistrySource } from "../registries/RegistrySource.ts"
import { parseReference } from "../registries/Reference.ts"
import { failed, misused } from "./CliFailure.ts"

export interface LocatedWorkflow {
  /** Absolute path. */
  readonly file: string
  /** `file` for a file that was named itself. */
  readonly registry: string
  readonly key: string
}

const later = (what: string) =>
  misused(`${what} cannot be used by this version. Clone the repository and add its folder: conductor registry add <name> <folder>.`)

const registered = Effect.fn("registeredWorkflow")(function* (workflow: string, name: string | undefined) {
  const config = yield* RegistriesConfig
  const source = yield* RegistrySource
  const registries = yield* config.load
  const wanted = name ?? registries.default
  if (wanted === undefined) {
    return yield* failed(
      `'${workflow}' is no file, and there is no default registry to look in.\nAdd one with 'conductor registry add <name> <folder>'.`
    )
  }
  const registry = yield* requireRegistry(registries, wanted)
  const entry = yield* source.resolve(registry, workflow)
  return { file: entry.file, registry: entry.registry, key: entry.key }
})

export const resolveWorkflow = Effect.fn("resolveWorkflow")(function* (text: string) {
  const files = yield* FileSystem
  const isFile = yield* files.stat(text).pipe(
    Effect.map(({ type }) => type === "File"),
    Effect.orElseSucceed(() => false)
  )
  const reference = yield* parseReference(text, isFile ? "is-file" : "no-file")
  switch (reference._tag) {
    case "File": {
      const file = resolve(reference.path)
      return { file, registry: "file", key: basename(file, extname(file)) }
    }
    case "AdHoc":
      return yield* later("A workflow of a repository that is not registered")
    case "Registered":
      if (reference.ref !== undefined) return yield* later("A version after '#'")
      return yield* registered(reference.workflow, reference.registry)
  }
})
