/** `conductor registry`: the folders whose workflows are served and can be run by name. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { RegistriesConfig } from "../../registries/RegistriesConfig.ts"
import { RegistryKind } from "../../registries/Registry.ts"
import { Output } from "../output/Output.ts"
import { list } from "./list.ts"

const name = Args.text({ name: "name" }).pipe(Args.withDescription("Name of the registry"))

const add = Command.make(
  "add",
  {
    name,
    source: Args.text({ name: "source" }).pipe(Args.withDescription("A folder of workflow files")),
    type: Options.choice("type", RegistryKind.literals).pipe(
      Options.withAlias("t"),
      Options.withDescription("Left out, it follows from the source"),
      Options.optional
    ),
    isDefault: Options.boolean("default").pipe(Options.withAlias("d"), Options.withDescription("Make it the default"))
  },
  (options) =>
    Effect.gen(function* () {
      const config = yield* RegistriesConfig
      const output = yield* Output
      const { message } = yield* config.add({
        name: options.name,
        source: options.source,
        ...(Option.isSome(options.type) ? { type: options.type.value } : {}),
        default: options.isDefault ? "make-default" : "keep-default",
        workingDirectory: process.cwd()
      })
      yield* output.print(message)
    })
).pipe(Command.withDescription("Add a folder of workflows"))

const remove = Command.make("remove", { name }, (options) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const output = yield* Output
    const { message } = yield* config.remove(options.name)
    yield* output.print(message)
  })
).pipe(Command.withDescription("Forget a registry; its folder stays"))

const setDefault = Command.make("set-default", { name }, (options) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const output = yield* Output
    const registry = yield* config.setDefault(options.name)
    yield* output.print(`'${registry.name}' is the default registry now.`)
  })
).pipe(Command.withDescription("Choose the registry that a bare workflow name means"))

export const registry = Command.make("registry").pipe(
  Command.withDescription("Manage the folders of workflows"),
  Command.withSubcommands([list, add, remove, setDefault])
)
