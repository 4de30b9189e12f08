/**
 * The flags of `conductor mcp serve` as a table: parsing, environment variables, checks, help text and the table in the
 * README all come from it. Loaded by every start, so it must not import Effect.
 */
import { homedir } from "node:os"
import { resolve } from "node:path"
import { nearest } from "../domain/NearMatch.ts"

const toolsets = ["workflows", "runs"] as const
export type Toolset = (typeof toolsets)[number]

/** What decoding may look at. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  readonly workingDirectory: string
  readonly isDirectory: (path: string) => boolean
}

type Decoded<A> = { readonly value: A } | { readonly problem: string }

export interface Flag<A> {
  /** Without the leading dashes. */
  readonly name: string
  readonly variable: string
  /** What stands for the value in help texts. */
  readonly placeholder: string
  readonly repeatable: boolean
  /** The default, in words. */
  readonly otherwise: string
  readonly description: string
  /** `texts` is empty when the flag was not given; otherwise it holds one text per occurrence. */
  readonly decode: (texts: ReadonlyArray<string>, surroundings: Surroundings) => Decoded<A>
}

type Words = Pick<Flag<never>, "name" | "description">

const variableOf = (name: string): string => `CONDUCTOR_MCP_${name.toUpperCase().replaceAll("-", "_")}`

const absolute = (path: string, { workingDirectory }: Surroundings): string =>
  resolve(workingDirectory, path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path)

const list = (
  words: Words & { readonly placeholder: string; readonly otherwise: string }
): Flag<ReadonlyArray<string>> => ({
  ...words,
  variable: variableOf(words.name),
  repeatable: true,
  decode: (texts) => {
    const empty = texts.some((text) => text.trim() === "")
    return empty ? { problem: "is empty; leave it out instead" } : { value: texts }
  }
})

const integer = (
  words: Words & { readonly minimum: number; readonly maximum: number; readonly fallback: number }
): Flag<number> => ({
  name: words.name,
  variable: variableOf(words.name),
  placeholder: "N",
  repeatable: false,
  otherwise: String(words.fallback),
  description: `${words.description} (${words.minimum} to ${words.maximum})`,
  decode: (texts) => {
    const text = texts.at(-1)
    if (text === undefined) return { value: words.fallback }
    const value = /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
    return value >= words.minimum && value <= words.maximum
      ? { value }
      : { problem: `must be a whole number from ${words.minimum} to ${words.maximum}, not '${text}'` }
  }
})

const optional = (
  words: Words & {
    readonly placeholder: string
    readonly otherwise: string
    readonly pattern: RegExp
    readonly rule: string
  }
): Flag<string | undefined> => ({
  name: words.name,
  variable: variableOf(words.name),
  placeholder: words.placeholder,
  repeatable: false,
  otherwise: words.otherwise,
  description: words.description,
  decode: (texts) => {
    const text = texts.at(-1)
    return text === undefined || words.pattern.test(text)
      ? { value: text }
      : { problem: `${words.rule}, not '${text}'` }
  }
})

const decodeToolsets: Flag<ReadonlyArray<Toolset>>["decode"] = (texts) => {
  if (texts.length === 0) return { value: toolsets }
  const asked = texts.flatMap((text) => text.split(/[\s,]+/)).filter((name) => name !== "")
  if (asked.length === 0) return { problem: `names no toolset; the toolsets are ${toolsets.join(", ")}` }
  const unknown = asked.filter((name) => !toolsets.some((toolset) => toolset === name))
  if (unknown.length === 0) return { value: toolsets.filter((toolset) => asked.includes(toolset)) }
  const near = unknown.length === 1 ? nearest(unknown[0] ?? "", toolsets) : undefined
  const names = unknown.map((name) => `'${name}'`).join(", ")
  const hint = near === undefined ? "" : `; did you mean '${near}'?`
  return { problem: `does not know ${names}; the toolsets are ${toolsets.join(", ")}${hint}` }
}

const decodeLaunchDirectory: Flag<string>["decode"] = (texts, surroundings) => {
  const asked = texts.at(-1)
  if (asked !== undefined) {
    const path = absolute(asked, surroundings)
    return surroundings.isDirectory(path)
      ? { value: path }
      : { problem: `names no directory: '${path}'; create it, or name one that exists` }
  }
  // Some hosts start their servers elsewhere than in the project, and say where the project is (mcp serve reference W37).
  const project = surroundings.environment["CLAUDE_PROJECT_DIR"]
  const usable = project !== undefined && project !== "" && surroundings.isDirectory(project)
  return { value: usable ? project : surroundings.workingDirectory }
}

export const serveFlags = {
  registries: list({
    name: "registry",
    placeholder: "GLOB",
    otherwise: "all",
    description: "Serve only the registries whose names match"
  }),
  allow: list({
    name: "allow",
    placeholder: "GLOB",
    otherwise: "none",
    description: "Serve only matching workflows, also those that do not expose themselves"
  }),
  deny: list({
    name: "deny",
    placeholder: "GLOB",
    otherwise: "none",
    description: "Never serve matching workflows; wins over everything else"
  }),
  workflowDirectories: {
    ...list({
      name: "workflow-dir",
      placeholder: "PATH",
      otherwise: "none",
      description: "Serve the workflow files of this folder too"
    }),
    decode: (texts, surroundings) =>
      texts.some((text) => text.trim() === "")
        ? { problem: "is empty; leave it out instead" }
        : { value: texts.map((text) => absolute(text, surroundings)) }
  } satisfies Flag<ReadonlyArray<string>>,
  toolsets: {
    name: "toolsets",
    variable: variableOf("toolsets"),
    placeholder: "NAMES",
    repeatable: true,
    otherwise: toolsets.join(","),
    description: `Groups of tools to publish, separated by commas or spaces: ${toolsets.join(", ")}`,
    decode: decodeToolsets
  } satisfies Flag<ReadonlyArray<Toolset>>,
  maxDirectTools: integer({
    name: "max-direct-tools",
    minimum: 0,
    maximum: 500,
    fallback: 25,
    description:
      "With more workflows than this, publish conductor_find_workflow and conductor_run_workflow instead of one tool each"
  }),
  maxWaitSeconds: integer({
    name: "max-wait-seconds",
    minimum: 0,
    maximum: 86_400,
    fallback: 300,
    description: "Longest time that one call may wait for a run; 0 = no call waits"
  }),
  toolPrefix: optional({
    name: "tool-prefix",
    placeholder: "NAME",
    otherwise: "none",
    pattern: /^[a-z][a-z0-9_]{0,14}$/,
    rule: "must be 1 to 15 lower-case letters, digits or underscores and begin with a letter",
    description: "Put NAME_ before the name of each workflow tool"
  }),
  maxConcurrentRuns: integer({
    name: "max-concurrent-runs",
    minimum: 0,
    maximum: 10_000,
    fallback: 0,
    description: "Refuse to start a run while this many of this machine's runs are alive; 0 = no limit"
  }),
  launchDirectory: {
    name: "launch-dir",
    variable: variableOf("launch-dir"),
    placeholder: "PATH",
    repeatable: false,
    otherwise: "the host's project, or the working directory",
    description: "Working directory of the runs",
    decode: decodeLaunchDirectory
  } satisfies Flag<string>,
  provider: optional({
    name: "provider",
    placeholder: "NAME",
    otherwise: "as each workflow says",
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    rule: "must be the name of a provider",
    description: "Model provider of the runs, whatever the workflows say"
  })
}

/** The flags, decoded. Paths are absolute, times in seconds. */
export type ServeOptions = {
  readonly [Key in keyof typeof serveFlags]: (typeof serveFlags)[Key] extends Flag<infer A> ? A : never
}
