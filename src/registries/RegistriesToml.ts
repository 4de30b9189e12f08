/** Reads and writes the text of `registries.toml` (run files §3.1). Pure. */
import { Either, ParseResult, Schema } from "effect"
import { parse, TomlError } from "smol-toml"
import { nearest } from "../domain/NearMatch.ts"
import { RegistriesFile } from "./Registry.ts"
import { RegistriesFileError } from "./RegistryError.ts"

const repair = "Correct it by hand, or move the file away and add the registries again (`conductor registry add`)."

const malformed = (file: string, cause: unknown): RegistriesFileError => {
  // The library appends an excerpt of the file after its first paragraph; the position says the same in less.
  const text = cause instanceof Error ? cause.message : String(cause)
  const reason = text.replace(/^Invalid TOML document: /, "").split("\n", 1)[0] ?? text
  const place = cause instanceof TomlError ? { line: cause.line, column: cause.column } : {}
  return new RegistriesFileError({ file, ...place, reason: `not valid TOML: ${reason}`, remedy: repair })
}

const misshapen = (file: string, error: ParseResult.ParseError): RegistriesFileError => {
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  const at = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `
  return new RegistriesFileError({ file, reason: `${at}${issue?.message ?? error.message}`, remedy: repair })
}

const checkDefault = (file: string, contents: RegistriesFile): Either.Either<RegistriesFile, RegistriesFileError> => {
  const name = contents.default
  if (name === undefined || Object.hasOwn(contents.registries, name)) return Either.right(contents)
  const near = nearest(name, Object.keys(contents.registries))
  const meant = near === undefined ? "" : ` Did you mean '${near}'?`
  return Either.left(
    new RegistriesFileError({
      file,
      reason: `default: there is no registry '${name}'`,
      remedy: `Name one of [registries] or delete the line.${meant}`
    })
  )
}

/** `file` is only for messages. Empty text is an empty file. */
export const parseRegistries = (text: string, file: string): Either.Either<RegistriesFile, RegistriesFileError> =>
  Either.try({ try: () => parse(text.replace(/^\ufeff/, "")), catch: (cause) => malformed(file, cause) }).pipe(
    Either.flatMap((table) =>
      Either.mapLeft(Schema.decodeUnknownEither(RegistriesFile)(table), (error) => misshapen(file, error))
    ),
    Either.flatMap((contents) => checkDefault(file, contents))
  )

/** JSON's escapes are TOML's too, but TOML wants DEL escaped and has no lone surrogates. */
const quoted = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007f")

/** Quotes every key, as the reference does, since a name with a dot would be two keys otherwise. */
export const printRegistries = (contents: RegistriesFile): string =>
  [
    ...(contents.default === undefined ? [] : [`default = ${quoted(contents.default)}\n`]),
    ...Object.entries(contents.registries).map(
      ([name, { type, source }]) => `[registries.${quoted(name)}]\ntype = ${quoted(type)}\nsource = ${quoted(source)}\n`
    )
  ].join("\n")
