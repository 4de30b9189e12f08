/** The flags of `conductor mcp serve` for people: the help of the command line and the table of the README. */
import { type Flag, serveFlags } from "./ServeFlags.ts"

const flags: ReadonlyArray<Flag<unknown>> = Object.values(serveFlags)

const usage = (flag: Flag<unknown>): string => `--${flag.name} ${flag.placeholder}`

/** Plain text for a terminal. */
export const serveHelp = (): string => {
  const width = Math.max(...flags.map((flag) => usage(flag).length))
  const lines = flags.flatMap((flag) => [
    `  ${usage(flag).padEnd(width)}  ${flag.description}${flag.repeatable ? " (repeatable)" : ""}`,
    `  ${"".padEnd(width)}  default: ${flag.otherwise} · ${flag.variable}`
  ])
  return [
    "Serves registered workflows as MCP tools over stdin and stdout. A host starts it; it is not for typing into.",
    "",
    '  { "mcpServers": { "conductor": { "command": "conductor", "args": ["mcp", "serve"] } } }',
    "",
    "Usage: conductor mcp serve [flags]",
    "",
    ...lines,
    "",
    "A variable holds several values separated by commas. A flag wins over its variable.",
    ""
  ].join("\n")
}

/** A Markdown table, one row a flag. */
export const serveFlagsTable = (): string =>
  [
    "| Flag | Variable | Default | Meaning |",
    "|---|---|---|---|",
    ...flags.map(
      (flag) =>
        `| \`${usage(flag)}\`${flag.repeatable ? " (repeatable)" : ""} | \`${flag.variable}\` | ${flag.otherwise} | ${flag.description} |`
    ),
    ""
  ].join("\n")
