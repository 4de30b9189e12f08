/**
 * The MCP servers that a plugin describes in its `.mcp.json`, as hosts write them: below `mcpServers` or at the root, without
 * a type where an URL says enough. Variables in the texts are left as they are.
 */
import { Either, ParseResult, Predicate, Schema } from "effect"
import { McpServer } from "../document/McpServers.ts"

export type PluginServers = Readonly<Record<string, McpServer>>

const decodeEntry = Schema.decodeUnknownEither(McpServer)
const decodeText = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const withType = (entry: unknown): unknown =>
  Predicate.isRecord(entry) && entry["type"] === undefined && typeof entry["url"] === "string"
    ? { ...entry, type: "http" }
    : entry

const firstFault = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const path = issue === undefined ? "" : issue.path.map((key) => `.${String(key)}`).join("")
  return `${path}: ${issue?.message ?? error.message}`
}

const EXPECTED = "expected a JSON object of MCP servers by their names, or one with mcpServers"

/** `Left` says what is wrong, and where in the text. */
export const pluginServers = (text: string): Either.Either<PluginServers, string> =>
  Either.gen(function* () {
    const written = yield* Either.mapLeft(decodeText(text), () => EXPECTED)
    const entries = written["mcpServers"] ?? written
    if (!Predicate.isRecord(entries)) return yield* Either.left(EXPECTED)
    const servers = yield* Either.all(
      Object.entries(entries).map(([name, entry]) =>
        Either.mapBoth(decodeEntry(withType(entry)), {
          onLeft: (error) => `${name}${firstFault(error)}`,
          onRight: (server) => [name, server] as const
        })
      )
    )
    return Object.fromEntries(servers)
  })
