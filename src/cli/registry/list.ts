/** `conductor registry list [name]`: the registries, or the workflows of one. */
import { Effect } from "effect"
import { RegistriesConfig } from "../../registries/RegistriesConfig.ts"
import { requireRegistry } from "../../registries/RegistriesChange.ts"
import { registriesOf, type RegistriesFile, type Registry } from "../../registries/Registry.ts"
import { RegistrySource } from "../../registries/RegistrySource.ts"
import { Output, printJson, shownInline } from "../output/Output.ts"
import { renderTable } from "../output/Table.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"

const listRegistries = (file: RegistriesFile, form: "json" | "text") =>
  Effect.gen(function* () {
    const output = yield* Output
    const registries = registriesOf(file)
    if (form === "json") {
      const rows = registries.map((registry) => ({ ...registry, default: registry.name === file.default }))
      return yield* printJson({ registries: rows })
    }
    if (registries.length === 0) {
      return yield* output.report("No registries yet. Add one with 'conductor registry add <name> <folder>'.")
    }
    const rows = registries.map((registry) => [
      registry.name,
      registry.type,
      shownInline(registry.source),
      registry.name === file.default ? "default" : ""
    ])
    const columns = [{ title: "registry" }, { title: "type" }, { title: "source" }, { title: "" }]
    yield* output.print(renderTable(columns, rows, { title: output.style.dim, width: output.width }))
  })

const listWorkflows = (registry: Registry, form: "json" | "text") =>
  Effect.gen(function* () {
    const output = yield* Output
    const source = yield* RegistrySource
    const { entries, problems } = yield* source.list(registry)
    if (form === "json") {
      const rows = entries.map(({ description, file, key }) => ({ key, file, description: description ?? null }))
      return yield* printJson({
        registry: registry.name,
        workflows: rows,
        problems: problems.map((problem) => ({ ...problem }))
      })
    }
    const rows = entries.map(({ description, key }) => [shownInline(key), shownInline(description ?? "")])
    if (rows.length > 0) {
      yield* output.print(
        renderTable([{ title: "workflow" }, { title: "description" }], rows, {
          title: output.style.dim,
          width: output.width
        })
      )
    } else {
      yield* output.report(`Registry '${registry.name}' has no workflows in ${shownInline(registry.source)}.`)
    }
    for (const { key, reason } of problems) {
      yield* output.report(output.errorStyle.yellow(`${shownInline(key)}: ${shownInline(reason)}`))
    }
  })

export const listRegistry = (options: Call<Verbs["registryList"]>) =>
  Effect.gen(function* () {
    const config = yield* RegistriesConfig
    const file = yield* config.load
    const form = options.json ? "json" : "text"
    if (options.name === undefined) return yield* listRegistries(file, form)
    yield* listWorkflows(yield* requireRegistry(file, options.name), form)
  })
