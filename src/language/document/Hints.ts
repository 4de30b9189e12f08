/** Remedies for forms that the format's documentation shows but its loader refuses (workflow language §11). */
import type { Place } from "../Problem.ts"

interface Hint {
  /** Pattern over the dotted place of the fault. */
  readonly place: RegExp
  /** Restricts the hint to faults whose value is like this. */
  readonly when?: (value: unknown) => boolean
  readonly remedy: string
}

const isMapping = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

const STEP = /^(?:agents\.\d+|for_each\.\d+\.agent)/.source
const at = (suffix: string): RegExp => new RegExp(`${STEP}${suffix}$`)

const HINTS: ReadonlyArray<Hint> = [
  { place: /^inputs?$/, remedy: "the inputs of a workflow are declared under workflow.input" },
  { place: /^(?:hooks|limits|context|runtime|metadata|mcp)$/, remedy: "this key belongs under workflow" },
  { place: /^name$|^description$|^version$|^entry_point$/, remedy: "this key belongs under workflow" },
  { place: /^steps$/, remedy: "the steps of a workflow are listed under agents" },
  { place: /^workflow\.context_mode$/, remedy: "write context: {mode: accumulate | last_only | explicit}" },
  { place: /^workflow\.inputs$/, remedy: 'did you mean "input"?' },
  {
    place: /^workflow\.(?:agents|parallel|for_each|output|tools)$/,
    remedy: "this key belongs at the root of the file"
  },
  {
    place: /^workflow\.input\.[^.]+$/,
    when: (value) => typeof value === "string",
    remedy: "write {type: string}, and the same for other types"
  },
  {
    place: /^workflow\.input\.[^.]+\.type$|\.output(?:\..+)?\.type$/,
    when: (value) => value === "integer" || value === "int" || value === "float",
    remedy: "the type of all numbers is number"
  },
  {
    place: at("\\.input"),
    when: isMapping,
    remedy: "list references, such as [planner.output, workflow.input.topic?]"
  },
  {
    place: at("\\.(?:parallel|for_each)"),
    remedy: "groups are declared at the root of the file and reached by routes"
  },
  {
    place: at("\\.output\\.[^.]+"),
    when: (value) => typeof value === "string",
    remedy: "write {type: string}, and the same for other types"
  },
  {
    place: at("\\.options\\.\\d+\\.(?:label|value|route)"),
    when: (value) => value === undefined,
    remedy: "an option has the keys label, value and route"
  },
  { place: /^for_each\.\d+\.agent\.name$/, remedy: "the inline step of a group needs a name of its own" }
]

const valueAt = (document: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    document
  )

/** The remedy for a fault at `place` of a document, when it is one of the known wrong forms. */
export const hintFor = (place: Place, document: unknown): string | undefined => {
  const dotted = place.join(".")
  const found = HINTS.find((hint) => hint.place.test(dotted) && (hint.when?.(valueAt(document, place)) ?? true))
  return found?.remedy
}
