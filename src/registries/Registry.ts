/** What a registry is, and the schema of the file that lists them (run files §3.1). */
import { Either, ParseResult, Schema } from "effect"

/** Names that the cache folder uses itself, and names that mean something else to a file system or to JavaScript. */
const reservedNames: ReadonlySet<string> = new Set(["_adhoc", "_meta", ".", "..", "__proto__"])

export const RegistryName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9._-]+$/, {
    message: () => "a registry name has letters, digits, '.', '_' and '-' only"
  }),
  Schema.filter((name) => !reservedNames.has(name) || `the name '${name}' is reserved; choose another one`)
)

export const RegistryKind = Schema.Literal("path", "github").annotations({
  message: ({ actual }) => ({
    message: `${JSON.stringify(actual)} is no type of registry; use "path" or "github"`,
    override: true
  })
})
export type RegistryKind = typeof RegistryKind.Type

export const RegistryDefinition = Schema.Struct({ type: RegistryKind, source: Schema.NonEmptyString })
export type RegistryDefinition = typeof RegistryDefinition.Type

/** `source` is a folder of this machine (`path`) or `owner/repository` (`github`). */
export interface Registry extends RegistryDefinition {
  readonly name: string
}

/** A record with a refined key would drop the names that do not fit instead of refusing them. */
const Registries = Schema.Record({ key: Schema.String, value: RegistryDefinition }).pipe(
  Schema.filter((registries) =>
    Object.keys(registries).flatMap((name) =>
      Either.match(Schema.decodeUnknownEither(RegistryName)(name), {
        onLeft: (error) => [
          { path: [name], message: ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? "" }
        ],
        onRight: () => []
      })
    )
  )
)

/** `default`, when there, names one of the registries. */
export const RegistriesFile = Schema.Struct({
  default: Schema.optionalWith(RegistryName, { exact: true }),
  registries: Schema.optionalWith(Registries, { default: () => ({}) })
})
export type RegistriesFile = typeof RegistriesFile.Type

export const noRegistries: RegistriesFile = { registries: {} }

/** In the order of their names, by code unit. */
export const registriesOf = (file: RegistriesFile): ReadonlyArray<Registry> =>
  Object.entries(file.registries)
    .map(([name, definition]) => ({ name, ...definition }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))

export const findRegistry = (file: RegistriesFile, name: string): Registry | undefined =>
  registriesOf(file).find((registry) => registry.name === name)
