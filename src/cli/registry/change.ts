/** `conductor registry add|remove|set-default`: changes to the list of registries. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { RegistriesConfig } from "../../registries/RegistriesConfig.ts"
import { inferKind } from "../../registries/RegistrySourceText.ts"
import { failed } from "../CliFailure.ts"
import { Output, shown } from "../output/Output.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"

/** A folder that is not there would otherwise be taken for `owner/repository` on GitHub. */
const refuseMistypedFolder = Effect.fnUntraced(function* ({ source, type }: Call<Verbs["registryAdd"]>) {
  const files = yield* FileSystem
  const isThere = yield* Effect.orElseSucceed(files.exists(source), () => false)
  if (type !== undefined || inferKind(source, isThere ? "folder" : "no folder") === "path") return
  return yield* failed(
    `There is no folder '${source}'.\nFor a repository on GitHub write --type github; this version keeps it, but cannot read it yet.`
  )
})

export const addRegistry = (options: Call<Verbs["registryAdd"]>) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const output = yield* Output
    yield* refuseMistypedFolder(options)
    const { message } = yield* config.add({
      name: options.name,
      source: options.source,
      ...(options.type === undefined ? {} : { type: options.type }),
      default: options.default ? "make-default" : "keep-default",
      workingDirectory: process.cwd()
    })
    yield* output.print(shown(message))
  })

export const removeRegistry = ({ name }: Call<Verbs["registryRemove"]>) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const output = yield* Output
    const { message } = yield* config.remove(name)
    yield* output.print(shown(message))
  })

export const setDefaultRegistry = ({ name }: Call<Verbs["registrySetDefault"]>) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const output = yield* Output
    const registry = yield* config.setDefault(name)
    yield* output.print(`'${registry.name}' is the default registry now.`)
  })
