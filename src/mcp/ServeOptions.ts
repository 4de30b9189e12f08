/**
 * Command line and environment → decoded options, or everything that is wrong with them at once. A flag wins over its
 * environment variable, and that over the default. Loaded by every start, so it must not import Effect.
 */
import { parseArgs } from "node:util"
import { nearest } from "../domain/NearMatch.ts"
import { type Flag, type ServeOptions, serveFlags, type Surroundings } from "./ServeFlags.ts"

export type ServeRequest =
  | { readonly _tag: "Serve"; readonly options: ServeOptions }
  | { readonly _tag: "Help" }
  /** One line a problem: what, why, and what would be right. */
  | { readonly _tag: "Invalid"; readonly problems: ReadonlyArray<string> }

const flags: ReadonlyArray<Flag<unknown>> = Object.values(serveFlags)

interface Arguments {
  readonly texts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly help: boolean
  readonly problems: ReadonlyArray<string>
}

const unknownOption = (name: string): string => {
  const near = nearest(
    name,
    flags.map((flag) => flag.name)
  )
  return `--${name} is unknown; ${near === undefined ? "--help lists the flags" : `did you mean --${near}?`}`
}

const readArguments = (argv: ReadonlyArray<string>): Arguments => {
  const { tokens } = parseArgs({
    args: [...argv],
    // Not strict: that stops at the first problem, and all of them are wanted.
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: "boolean", short: "h" },
      ...Object.fromEntries(flags.map((flag) => [flag.name, { type: "string", multiple: true } as const]))
    }
  })
  const texts = new Map<string, ReadonlyArray<string>>()
  const problems: Array<string> = []
  let help = false
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue
    if (token.kind === "positional") problems.push(`'${token.value}' is not a flag; no other arguments are taken`)
    else if (token.name === "help") help = true
    else if (!flags.some((flag) => flag.name === token.name)) problems.push(unknownOption(token.name))
    else if (token.value === undefined || (!token.inlineValue && token.value.startsWith("--"))) {
      problems.push(`--${token.name} needs a value`)
    } else texts.set(token.name, [...(texts.get(token.name) ?? []), token.value])
  }
  return { texts, help, problems }
}

/** The texts of a flag, and how to call their source in a message. */
const sourceOf = (flag: Flag<unknown>, given: Arguments["texts"], environment: Surroundings["environment"]) => {
  const texts = given.get(flag.name)
  if (texts !== undefined) return { texts, source: `--${flag.name}` }
  const variable = environment[flag.variable]
  if (variable === undefined || variable.trim() === "") return { texts: [], source: `--${flag.name}` }
  const items = flag.repeatable ? variable.split(",").map((item) => item.trim()) : [variable.trim()]
  return { texts: items, source: flag.variable }
}

/** `argv` is what follows `conductor mcp serve`. Looks at the file system only to see whether directories exist. */
export const decodeServeOptions = (argv: ReadonlyArray<string>, surroundings: Surroundings): ServeRequest => {
  const { texts, help, problems } = readArguments(argv)
  if (help) return { _tag: "Help" }
  const found = [...problems]
  const options = Object.entries(serveFlags).map(([key, flag]) => {
    const given = sourceOf(flag, texts, surroundings.environment)
    const decoded = flag.decode(given.texts, surroundings)
    if ("value" in decoded) return [key, decoded.value] as const
    found.push(`${given.source} ${decoded.problem}`)
    return [key, undefined] as const
  })
  if (found.length > 0) return { _tag: "Invalid", problems: found }
  // Each key was decoded by the flag of the same key, which a mapped type cannot say of `Object.entries`.
  return { _tag: "Serve", options: Object.fromEntries(options) as ServeOptions }
}
