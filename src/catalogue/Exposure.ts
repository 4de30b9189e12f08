/**
 * The exposure ladder: deny > allow > `mcp.expose` > on. Decides from facts alone whether a workflow is served, and says
 * by which rung. What is not known to be open is closed: an unreadable block needs an `--allow` that names the workflow.
 */
import type { ExcludedEntry } from "./CatalogueEntry.ts"
import { type Glob, glob } from "./Glob.ts"

export interface ExposureRules {
  readonly allow: ReadonlyArray<Glob>
  readonly deny: ReadonlyArray<Glob>
}

export interface ExposureSubject {
  readonly registry: string
  readonly key: string
  /** Its final tool name; names never depend on exposure, so that a pattern over them is stable. */
  readonly tool: string
  readonly declared:
    | { readonly _tag: "Known"; readonly expose: boolean }
    | { readonly _tag: "Absent" }
    | { readonly _tag: "Unknown"; readonly reason: string }
}

export type Exposure =
  | { readonly _tag: "Exposed"; readonly exposedBy: string }
  | { readonly _tag: "Excluded"; readonly rung: ExcludedEntry["rung"]; readonly reason: string }

export const exposureRules = (options: {
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
}): ExposureRules => ({ allow: options.allow.map(glob), deny: options.deny.map(glob) })

/** The first pattern that matches the key, `registry/key` or the tool name, in words. */
const firstMatch = (flag: string, globs: ReadonlyArray<Glob>, { key, registry, tool }: ExposureSubject) => {
  const subjects = [
    [key, "the workflow key"],
    [`${registry}/${key}`, "registry/key"],
    [tool, "the tool name"]
  ] as const
  for (const { matches, pattern } of globs) {
    const hit = subjects.find(([text]) => matches(text))
    if (hit !== undefined) return `${flag} '${pattern}' matches ${hit[1]} '${hit[0]}'`
  }
  return undefined
}

export const decideExposure = (rules: ExposureRules, subject: ExposureSubject): Exposure => {
  const denied = firstMatch("--deny", rules.deny, subject)
  if (denied !== undefined) return { _tag: "Excluded", rung: "deny", reason: denied }
  if (rules.allow.length > 0) {
    const allowed = firstMatch("--allow", rules.allow, subject)
    return allowed === undefined
      ? { _tag: "Excluded", rung: "allow", reason: "no --allow pattern matches it" }
      : { _tag: "Exposed", exposedBy: allowed }
  }
  switch (subject.declared._tag) {
    case "Known":
      return subject.declared.expose
        ? { _tag: "Exposed", exposedBy: "mcp.expose is true" }
        : { _tag: "Excluded", rung: "expose", reason: "mcp.expose is false" }
    case "Absent":
      return { _tag: "Exposed", exposedBy: "on by default" }
    case "Unknown":
      return {
        _tag: "Excluded",
        rung: "unknown-exposure",
        reason: `its mcp block is not known (${subject.declared.reason}); repair it, or name the workflow with --allow`
      }
  }
}
