/**
 * Tool names of workflows: `^[a-z][a-z0-9_]{0,39}$`, one workflow a name. A name comes from the workflow's own identity;
 * another workflow matters only when it wants the very same name, and then every one of them gives way.
 * Names are made before exposure is decided and never depend on it, so `--allow` and `--deny` rename nothing.
 */
import { createHash } from "node:crypto"
import type { Collision } from "./CatalogueEntry.ts"
import { assignNames, type Claim } from "./NameLadder.ts"

export interface NamedWorkflow {
  readonly registry: string
  readonly key: string
  /** `workflow.name`, or the key when it cannot be read. */
  readonly name: string
  /** Absolute path: tells apart workflows that agree in all of the above. */
  readonly file: string
}

export interface ToolNames {
  readonly nameOf: (workflow: NamedWorkflow) => string
  /** Sorted by name. A name of a built-in tool that workflows wanted is listed with those workflows only. */
  readonly collisions: ReadonlyArray<Collision>
}

const LONGEST = 40
/** Some hosts keep the first 30 characters of a long name, so a shortened name is unique within them. */
const LONGEST_SHORTENED = 30
/** Leaves room for `_` and the longest digest. */
const LONGEST_PREFIX = 15
const SHORT_DIGEST = 8
/** 96 bits: not even the author of two workflows can make them agree. */
const LONG_DIGEST = 24

/** Letters without their accents, everything else that a name cannot hold as `_`; may be empty or begin with a digit. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")

const slug = (text: string): string =>
  fold(text)
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")

/** Whether a slug keeps all letters and digits: punctuation and emoji may go, words of another script may not. */
const keepsWords = (text: string): boolean => !/[\p{L}\p{N}]/u.test(fold(text).replace(/[a-z0-9]+/g, ""))

const startingWithLetter = (name: string): string => (/^[a-z]/.test(name) ? name : `run_${name}`)

const digest = (length: number, parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, length)

/** A readable beginning as long as `longest` allows, then the digest. */
const shortened = (prefix: string, readable: string, hash: string, longest: number): string => {
  const room = Math.max(0, longest - prefix.length - hash.length - 1)
  const beginning = startingWithLetter(prefix + readable.slice(0, room)).slice(0, longest - hash.length - 1)
  return `${beginning.replace(/_+$/, "")}_${hash}`
}

/** What an operator's prefix becomes: a slug of at most 15 characters and `_`; nothing when no character of it is left. */
export const prefixOf = (toolPrefix: string | undefined): string => {
  const clean = slug(toolPrefix ?? "")
    .slice(0, LONGEST_PREFIX)
    .replace(/_+$/, "")
  if (clean === "") return ""
  return `${startingWithLetter(clean).slice(0, LONGEST_PREFIX).replace(/_+$/, "")}_`
}

const identity = ({ file, key, name, registry }: NamedWorkflow): string => JSON.stringify([registry, key, name, file])

const claimOf = (workflow: NamedWorkflow, prefix: string): Claim => {
  const { file, key, name, registry } = workflow
  const whole = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const slugs = parts.map(slug)
    const candidate = startingWithLetter(prefix + slugs.join("_"))
    return parts.every(keepsWords) && !slugs.includes("") && candidate.length <= LONGEST ? [candidate] : []
  }
  const readable = slug(name) || slug(key) || "workflow"
  const short = shortened(prefix, readable, digest(SHORT_DIGEST, [registry, key, name]), LONGEST_SHORTENED)
  const long = shortened(prefix, readable, digest(LONG_DIGEST, [registry, key, name, file]), LONGEST)
  const bare = whole([name])
  const qualified = bare.length === 0 ? [] : whole([registry, name])
  const [first, ...rest] = [...bare, ...qualified, short, long]
  return { id: identity(workflow), ladder: [first ?? long, ...rest] }
}

/**
 * Names for all workflows of the enumerated registries. The ladder of one: its own name; `<registry>_<name>`; readable
 * part and digest of registry, key and name (at once for names that are too long or that lose words); a longer digest
 * that includes the file. Independent of the order of `workflows`; one that is listed twice counts once.
 */
export const toolNames = (
  workflows: ReadonlyArray<NamedWorkflow>,
  options: { readonly toolPrefix?: string; readonly reservedNames: ReadonlyArray<string> }
): ToolNames => {
  const prefix = prefixOf(options.toolPrefix)
  const byIdentity = new Map(workflows.map((workflow) => [identity(workflow), workflow]))
  const claims = [...byIdentity.values()].map((workflow) => claimOf(workflow, prefix))
  const { contested, names } = assignNames(claims, options.reservedNames)
  const toolOf = (id: string): string => names.get(id) ?? ""
  const collisions = [...contested].map(([name, ids]): Collision => ({
    name,
    tools: ids.flatMap((id) => {
      const workflow = byIdentity.get(id)
      return workflow === undefined ? [] : [{ tool: toolOf(id), registry: workflow.registry, key: workflow.key }]
    })
  }))
  return {
    nameOf: (workflow) => toolOf(identity(workflow)),
    collisions: collisions.sort((left, right) => (left.name < right.name ? -1 : 1))
  }
}
