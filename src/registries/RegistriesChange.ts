/** The changes that people make to the list of registries. Pure: from one list to the next, with words about it. */
import { Either, Schema } from "effect"
import { nearest } from "../domain/NearMatch.ts"
import { findRegistry, type RegistriesFile, type Registry, RegistryName } from "./Registry.ts"
import { RegistryError } from "./RegistryError.ts"

export interface AddedRegistry {
  readonly registry: Registry
  readonly default: "unchanged" | "requested" | "first"
  /** What was done, for a person: also that it became the default, and why. */
  readonly message: string
}

export interface RemovedRegistry {
  readonly registry: Registry
  readonly wasDefault: boolean
  readonly message: string
}

export interface RegistriesChange<A> {
  readonly file: RegistriesFile
  readonly answer: A
}

type Changed<A> = Either.Either<RegistriesChange<A>, RegistryError>

/** The registry of this name, or an error that names the nearest one. */
export const requireRegistry = (file: RegistriesFile, name: string): Either.Either<Registry, RegistryError> =>
  Either.fromNullable(findRegistry(file, name), () => {
    const names = Object.keys(file.registries)
    const near = nearest(name, names)
    const known = names.length > 0 ? `Known ones: ${names.join(", ")}.` : undefined
    return new RegistryError({
      registry: name,
      problem: "unknown",
      reason: "there is no registry of this name",
      remedy:
        near !== undefined
          ? `Did you mean '${near}'?`
          : (known ?? `Add one with 'conductor registry add ${name} <folder>'.`)
    })
  })

/** Checked before anything is looked up on the disk, so that the first error is about what was typed first. */
export const checkNewName = (file: RegistriesFile, name: string): Either.Either<string, RegistryError> => {
  if (!Schema.is(RegistryName)(name)) {
    return Either.left(
      new RegistryError({
        registry: name,
        problem: "invalid",
        reason: "this cannot be the name of a registry",
        remedy: "Use letters, digits, '.', '_' and '-'; '_adhoc' and '_meta' are reserved."
      })
    )
  }
  return findRegistry(file, name) === undefined
    ? Either.right(name)
    : Either.left(
        new RegistryError({
          registry: name,
          problem: "exists",
          reason: "there is a registry of this name already",
          remedy: `Choose another name, or remove it first with 'conductor registry remove ${name}'.`
        })
      )
}

const defaultWords = {
  unchanged: "",
  requested: " It is now the default registry.",
  first: " It is now the default registry, because it is the first one."
}

/** The first registry becomes the default (as in the reference) and says so (as not in the reference). */
export const addRegistry = (
  file: RegistriesFile,
  registry: Registry,
  wish: "make-default" | "keep-default"
): RegistriesChange<AddedRegistry> => {
  const { name, type, source } = registry
  const isFirst = Object.keys(file.registries).length === 0
  const becomes = wish === "make-default" ? "requested" : isFirst ? "first" : "unchanged"
  const registries = { ...file.registries, [name]: { type, source } }
  return {
    file: becomes === "unchanged" ? { ...file, registries } : { default: name, registries },
    answer: {
      registry,
      default: becomes,
      message: `Added registry '${name}' (${type}: ${source}).${defaultWords[becomes]}`
    }
  }
}

export const removeRegistry = (file: RegistriesFile, name: string): Changed<RemovedRegistry> =>
  Either.map(requireRegistry(file, name), (registry) => {
    const registries = Object.fromEntries(Object.entries(file.registries).filter(([other]) => other !== name))
    const wasDefault = file.default === name
    const advice = wasDefault ? " There is no default registry now: 'conductor registry set-default' sets one." : ""
    return {
      file: wasDefault ? { registries } : { ...file, registries },
      answer: { registry, wasDefault, message: `Removed registry '${name}'.${advice}` }
    }
  })

export const changeDefault = (file: RegistriesFile, name: string): Changed<Registry> =>
  Either.map(requireRegistry(file, name), (answer) => ({ file: { ...file, default: name }, answer }))
