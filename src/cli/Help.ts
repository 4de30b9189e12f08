/** Help texts, made from the commands. Pure; no line is longer than 80 columns. */
import type { Flag } from "./Flag.ts"
import type { Verb } from "./Verb.ts"
import { allVerbs, groups } from "./Verbs.ts"

type Row = readonly [term: string, description: string]

const block = (title: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([term]) => term.length))
  return ["", `${title}:`, ...rows.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`)]
}

export const commandOf = ({ path }: Pick<Verb, "path">): string => `conductor ${path.join(" ")}`

const flagTerm = (name: string, { alias, placeholder }: Flag<unknown>): string =>
  `${alias === undefined ? "    " : `-${alias}, `}--${name}${placeholder === undefined ? "" : ` ${placeholder}`}`

const help: Row = ["-h, --help", "Show this help"]

export const argumentText = (name: string, presence: "required" | "optional"): string =>
  presence === "required" ? `<${name}>` : `[${name}]`

const argumentTexts = (verb: Verb): ReadonlyArray<string> =>
  Object.entries(verb.arguments).map(([name, { presence }]) => argumentText(name, presence))

export const usageOf = (verb: Verb): string => {
  const flags = Object.keys(verb.flags).length === 0 ? [] : ["[flags]"]
  return ["Usage:", commandOf(verb), ...argumentTexts(verb), ...flags].join(" ")
}

const row = (verb: Verb): Row => [[...verb.path, ...argumentTexts(verb)].join(" "), verb.summary]

export const verbHelp = (verb: Verb): string =>
  [
    `${verb.summary}.`,
    "",
    usageOf(verb),
    ...block(
      "Arguments",
      Object.entries(verb.arguments).map(([name, { description, presence }]) => [
        argumentText(name, presence),
        description
      ])
    ),
    ...block("Flags", [
      ...Object.entries(verb.flags).map(([name, flag]): Row => [flagTerm(name, flag), flag.description]),
      help
    ])
  ].join("\n")

export const groupHelp = (group: string): string =>
  [
    `${groups[group]}.`,
    "",
    `Usage: conductor ${group} <command>`,
    ...block("Commands", allVerbs.filter(({ path }) => path.length === 2 && path[0] === group).map(row)),
    "",
    `More on a command: conductor ${group} <command> --help`
  ].join("\n")

export const conductorHelp = (): string =>
  [
    "Workflows kept in files, run as governed runs and served as MCP tools.",
    "",
    "Usage: conductor <command>",
    ...block("Commands", allVerbs.map(row)),
    ...block("Flags", [help, ["-v, --version", "Show the version"]]),
    "",
    "More on a command: conductor <command> --help",
    "Exit codes: 0 done, 1 failed, 2 called wrongly, 130 interrupted with Ctrl-C"
  ].join("\n")
