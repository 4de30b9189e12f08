/** Registries that are values, for tests of whatever reads registries. Touches no disk. */
import { Effect, Layer } from "effect"
import { basename } from "node:path/posix"
import { RegistryError } from "./RegistryError.ts"
import { entryOf, type EntryProblem, listingOf, type RegistryEntry, RegistrySource } from "./RegistrySource.ts"

export interface MemoryWorkflow {
  /** The text of the workflow file. */
  readonly text: string
  readonly description?: string
  readonly indexInput?: unknown
  readonly indexMcp?: unknown
}

export interface MemoryRegistry {
  /** By key. */
  readonly workflows: Readonly<Record<string, MemoryWorkflow>>
  readonly problems?: ReadonlyArray<EntryProblem>
}

const entryFrom = (registry: string, root: string, key: string, workflow: MemoryWorkflow): RegistryEntry => {
  const { text: _, ...fields } = workflow
  return { registry, key, root, file: `${root}/${key}.yaml`, ...fields }
}

/** By name of the registry; the folders of `directory` are found by their path. */
export const layer = (registries: Readonly<Record<string, MemoryRegistry>>): Layer.Layer<RegistrySource> => {
  const find = (name: string, label: string): Effect.Effect<MemoryRegistry, RegistryError> => {
    const found = Object.hasOwn(registries, name) ? registries[name] : undefined
    return found === undefined
      ? new RegistryError({
          registry: label,
          problem: "unavailable",
          reason: `there is nothing under '${name}'`,
          remedy: `Known ones: ${Object.keys(registries).join(", ")}.`
        })
      : Effect.succeed(found)
  }
  const listAs = (name: string, label: string) =>
    Effect.map(find(name, label), ({ workflows, problems = [] }) =>
      listingOf(
        Object.entries(workflows).map(([key, workflow]) => entryFrom(label, `/memory/${name}`, key, workflow)),
        problems
      )
    )

  return Layer.succeed(RegistrySource, {
    list: (registry) => listAs(registry.name, registry.name),
    directory: (directory) => listAs(directory, `dir:${basename(directory)}`),
    resolve: (registry, key) =>
      Effect.flatMap(listAs(registry.name, registry.name), (listing) => entryOf(listing, registry, key)),
    read: ({ registry, root, key }) =>
      Effect.flatMap(find(root.slice("/memory/".length), registry), ({ workflows }) => {
        const workflow = Object.hasOwn(workflows, key) ? workflows[key] : undefined
        return workflow === undefined
          ? new RegistryError({
              registry,
              problem: "unavailable",
              reason: `the workflow '${key}' cannot be read: it is gone`,
              remedy: "Correct the file and repeat."
            })
          : Effect.succeed(workflow.text)
      })
  })
}
