/** Which registry a reference means. Pure. */
import { Either, Schema } from "effect"
import type { RegisteredReference } from "../language/Reference.ts"
import { requireRegistry } from "./RegistriesChange.ts"
import type { RegistriesFile, Registry } from "./Registry.ts"
import { RegistryError } from "./RegistryError.ts"

/** The reference names no registry, and none is the default. */
export class NoDefaultRegistry extends Schema.TaggedError<NoDefaultRegistry>()("NoDefaultRegistry", {
  workflow: Schema.String
}) {
  override get message(): string {
    return (
      `'${this.workflow}' is no file, and there is no default registry to look in. ` +
      "Add a folder of workflows with 'conductor registry add <name> <folder>'."
    )
  }
}

const noVersions = ({ name }: Registry, ref: string): RegistryError =>
  new RegistryError({
    registry: name,
    problem: "invalid",
    reason: `it is a folder, and a folder has no versions that '#${ref}' could choose from`,
    remedy: `Leave out '#${ref}'.`
  })

export const chooseRegistry = (
  file: RegistriesFile,
  { ref, registry: name = file.default, workflow }: RegisteredReference
): Either.Either<Registry, RegistryError | NoDefaultRegistry> => {
  if (name === undefined) return Either.left(new NoDefaultRegistry({ workflow }))
  return Either.filterOrLeft(
    requireRegistry(file, name),
    (registry) => registry.type !== "path" || ref === undefined,
    (registry) => noVersions(registry, ref ?? "")
  )
}
