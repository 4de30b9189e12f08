/**
 * Reads the text of `index.yaml` or `index.json` (run files §3.3, with the `input` and `mcp` of MCP serve §2.1). Pure; it
 * knows nothing of the disk, so the paths in it are safe in form but may name nothing.
 */
import { Either, ParseResult, Schema } from "effect"
import { LineCounter, parseDocument } from "yaml"
import { parseEntryPath } from "./EntryPath.ts"
import type { EntryProblem } from "./RegistrySource.ts"

export interface IndexedWorkflow {
  readonly key: string
  /** Relative to the index, `/` between its parts. */
  readonly path: string
  readonly description?: string
  readonly input?: unknown
  readonly mcp?: unknown
}

export interface RegistryIndex {
  readonly workflows: ReadonlyArray<IndexedWorkflow>
  readonly problems: ReadonlyArray<EntryProblem>
}

/** Lines and columns count from 1. */
export interface IndexFault {
  readonly line?: number
  readonly column?: number
  readonly reason: string
}

const Entry = Schema.Struct({
  path: Schema.String,
  description: Schema.optionalWith(Schema.String, { exact: true }),
  input: Schema.optionalWith(Schema.Unknown, { exact: true }),
  mcp: Schema.optionalWith(Schema.Unknown, { exact: true })
})
const Index = Schema.Struct({ workflows: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })

const fromYaml = (text: string): Either.Either<unknown, IndexFault> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const fault = document.errors[0] ?? document.warnings[0]
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0])
    return Either.left({ line, column: col, reason: `not valid YAML: ${fault.message}` })
  }
  return Either.try({
    // Aliases of aliases grow without bound; an index has no need for more than a few.
    try: (): unknown => document.toJS({ maxAliasCount: 100 }),
    catch: (cause) => ({ reason: `not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}` })
  })
}

const fromJson = (text: string): Either.Either<unknown, IndexFault> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => ({ reason: `not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

const firstIssue = (error: ParseResult.ParseError): string => {
  const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
  return issue === undefined ? error.message : [issue.path.join("."), issue.message].filter(Boolean).join(": ")
}

const readEntry = (key: string, value: unknown): Either.Either<IndexedWorkflow, EntryProblem> => {
  const problem = (reason: string): EntryProblem => ({ key, reason })
  if (key.trim() === "" || /\p{Cc}/u.test(key)) {
    return Either.left(problem("the key is blank or has a control character; give it a name"))
  }
  return Schema.decodeUnknownEither(Entry)(value).pipe(
    Either.mapLeft((error) => problem(`the index is wrong here: ${firstIssue(error)}`)),
    Either.flatMap((entry) =>
      Either.mapBoth(parseEntryPath(entry.path), {
        onLeft: (reason) => problem(`path: ${reason}`),
        onRight: (path) => ({ key, ...entry, path })
      })
    )
  )
}

/** Fails when the text as a whole is no index; a wrong entry becomes a problem of its own. */
export const parseIndex = (text: string, format: "yaml" | "json"): Either.Either<RegistryIndex, IndexFault> =>
  (format === "yaml" ? fromYaml(text) : fromJson(text)).pipe(
    Either.flatMap((value) =>
      Either.mapLeft(Schema.decodeUnknownEither(Index)(value), (error): IndexFault => ({ reason: firstIssue(error) }))
    ),
    Either.map(({ workflows }) => {
      const read = Object.entries(workflows).map(([key, value]) => readEntry(key, value))
      return {
        workflows: read.flatMap((entry) => (Either.isRight(entry) ? [entry.right] : [])),
        problems: read.flatMap((entry) => (Either.isLeft(entry) ? [entry.left] : []))
      }
    })
  )
