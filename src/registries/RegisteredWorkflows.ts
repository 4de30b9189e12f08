/**
 * The workflows of this user's registries and of repositories, for the steps that name them: one set of rules for
 * validation, which has `Repositories` that fetch nothing, and for runs.
 */
import { Effect, Layer, Option } from "effect"
import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import type { AdHocReference, RegisteredReference } from "../language/Reference.ts"
import { ReferencedWorkflows, type FoundWorkflow } from "../language/ReferencedWorkflows.ts"
import { chooseRegistry } from "./ChooseRegistry.ts"
import { RegistriesConfig } from "./RegistriesConfig.ts"
import { registriesOf, type Registry } from "./Registry.ts"
import { RegistrySource, type RegistryEntry } from "./RegistrySource.ts"
import { absoluteSource } from "./RegistrySourceText.ts"
import { isBelow } from "./RootedFile.ts"
import { Repositories, type RepositoryReference } from "./Repositories.ts"

const refused = ({ message }: { readonly message: string }) =>
  Effect.succeed<FoundWorkflow>({ _tag: "Refused", message })

const folderOf = (name: string, source: string): Registry => ({ name, type: "path", source })

const make = Effect.gen(function* () {
  const config = yield* RegistriesConfig
  const source = yield* RegistrySource
  const repositories = yield* Repositories

  const inRepository = Effect.fnUntraced(function* (name: string, reference: RepositoryReference, workflow: string) {
    const { root } = yield* repositories.fetch(reference)
    return yield* source.resolve(folderOf(name, root), workflow)
  })

  const inRegistry = Effect.fnUntraced(function* (reference: RegisteredReference) {
    const { ref, workflow } = reference
    const registry = yield* chooseRegistry(yield* config.load, reference)
    if (registry.type === "path") return yield* source.resolve(registry, workflow)
    const [owner = "", repository = ""] = registry.source.split("/")
    return yield* inRepository(registry.name, { owner, repository, ...(ref === undefined ? {} : { ref }) }, workflow)
  })

  const find = (reference: RegisteredReference | AdHocReference) =>
    (reference._tag === "Registered"
      ? inRegistry(reference)
      : inRepository(`${reference.owner}/${reference.repository}`, reference, reference.workflow)
    ).pipe(
      Effect.map(({ file }: RegistryEntry): FoundWorkflow => ({ _tag: "Found", file })),
      Effect.catchTags({
        RepositoryError: (error) =>
          error.problem === "not-asked"
            ? Effect.succeed<FoundWorkflow>({ _tag: "NotChecked", reason: error.message })
            : refused(error),
        RegistryError: refused,
        NoDefaultRegistry: refused,
        FileError: refused,
        RegistriesFileError: refused
      })
    )

  /** The registry that a folder is part of, as a folder itself; of registries in each other the innermost. */
  const around = Effect.fnUntraced(function* (directory: string) {
    const fetched = repositories.rootOf(directory)
    if (Option.isSome(fetched)) return Option.some(folderOf("repository", fetched.value))
    const roots = yield* Effect.forEach(registriesOf(yield* config.load), (registry) =>
      registry.type === "path"
        ? Effect.promise(() => realpath(absoluteSource(registry.source, process.cwd(), homedir())).catch(() => ""))
        : Effect.succeed("")
    )
    const [innermost] = roots
      .filter((root) => root === directory || (root !== "" && isBelow(root, directory)))
      .sort((left, right) => right.length - left.length)
    return Option.map(Option.fromNullable(innermost), (root) => folderOf("registry", root))
  })

  const sibling = Effect.fnUntraced(
    function* (path: string, directory: string) {
      const registry = yield* around(directory)
      if (Option.isNone(registry)) return Option.none<string>()
      const { entries } = yield* source.list(registry.value)
      const wanted = join(registry.value.source, path)
      return entries.some(({ file }) => file === wanted) ? Option.some(wanted) : Option.none<string>()
    },
    Effect.orElseSucceed(() => Option.none<string>())
  )

  return {
    find: Effect.fn("ReferencedWorkflows.find")(find),
    sibling: Effect.fn("ReferencedWorkflows.sibling")(sibling)
  }
})

export const layer: Layer.Layer<never, never, RegistriesConfig | RegistrySource | Repositories> = Layer.effect(
  ReferencedWorkflows,
  make
)
