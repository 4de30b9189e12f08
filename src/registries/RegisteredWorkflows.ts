/** Lets validation follow references to the registries of this user. What would need the network is not checked. */
import { Effect, Layer } from "effect"
import { type FoundWorkflow, ReferencedWorkflows } from "../language/validate/ReferencedWorkflows.ts"
import { parseReference } from "./Reference.ts"
import { requireRegistry } from "./RegistriesChange.ts"
import { RegistriesConfig } from "./RegistriesConfig.ts"
import type { RegistryError } from "./RegistryError.ts"
import { RegistrySource } from "./RegistrySource.ts"

const refused = ({ message }: { readonly message: string }): FoundWorkflow => ({ _tag: "Refused", message })
const notChecked = (reason: string): FoundWorkflow => ({ _tag: "NotChecked", reason })

const explained = (error: RegistryError): FoundWorkflow =>
  error.problem === "unsupported" ? notChecked(error.message) : refused(error)

export const layer: Layer.Layer<never, never, RegistriesConfig | RegistrySource> = Layer.effect(
  ReferencedWorkflows,
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const source = yield* RegistrySource

    const registered = Effect.fnUntraced(function* (workflow: string, name: string | undefined) {
      const registries = yield* config.load
      const wanted = name ?? registries.default
      if (wanted === undefined) {
        return refused({ message: `'${workflow}' is no file, and there is no default registry to look in` })
      }
      const { file } = yield* source.resolve(yield* requireRegistry(registries, wanted), workflow)
      return { _tag: "Found", file } satisfies FoundWorkflow
    })

    const find = Effect.fn("ReferencedWorkflows.find")(
      function* (text: string) {
        const reference = yield* parseReference(text, "no-file")
        switch (reference._tag) {
          case "File":
            return refused({ message: `there is no file '${text}'` })
          case "AdHoc":
            return notChecked("it names a repository, and validation does not use the network")
          case "Registered":
            return reference.ref === undefined
              ? yield* registered(reference.workflow, reference.registry)
              : notChecked("it names a version of a repository, and validation does not use the network")
        }
      },
      Effect.catchTags({
        RegistryError: (error) => Effect.succeed(explained(error)),
        InvalidReference: (error) => Effect.succeed(refused(error)),
        FileError: (error) => Effect.succeed(refused(error)),
        RegistriesFileError: (error) => Effect.succeed(refused(error))
      })
    )
    return { find }
  })
)
