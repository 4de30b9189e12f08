/** The outline of a plan as a tree for people, and as JSON for programs. Pure. */
import { isList, isMap, type Value, type ValueMap } from "../../domain/Value.ts"
import { shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import type { Below, OutlineNode, OutlineStep, PlanOutline } from "./PlanOutline.ts"
import type { Way } from "./PlanWalk.ts"

const stepJson = ({ below, details, name, type }: Omit<OutlineNode, "members" | "ways">): ValueMap => ({
  name,
  type,
  ...details,
  ...(below === undefined
    ? {}
    : below._tag === "Outline"
      ? { plan: outlineJson(below.outline) }
      : { note: below.reason })
})

/** Keys are stable: scripts read them. */
export const outlineJson = ({
  depth,
  entry,
  file,
  limits,
  name,
  nodes,
  provider,
  unreached
}: PlanOutline): ValueMap => ({
  name,
  file,
  depth,
  entry_point: entry,
  provider,
  limits,
  nodes: nodes.map(({ members, ways, ...step }) => ({
    ...stepJson(step),
    ...(members === undefined ? {} : { members: members.map(stepJson) }),
    routes: ways.map((way) => ({ ...way }))
  })),
  unreached: [...unreached]
})

interface Branch {
  readonly text: string
  readonly below: ReadonlyArray<Branch>
}

const treeLines = (branches: ReadonlyArray<Branch>): ReadonlyArray<string> =>
  branches.flatMap(({ below, text }, at) => {
    const isLast = at === branches.length - 1
    const [first, rest] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "]
    return [`${first}${text}`, ...treeLines(below).map((line) => `${rest}${line}`)]
  })

const words = (value: Value): string =>
  shownInline(isList(value) ? value.map(words).join(", ") : isMap(value) ? detailText(value) : String(value))

/** `provider openai, model small`. */
const detailText = (details: ValueMap): string =>
  Object.entries(details)
    .map(([key, value]) => `${key} ${words(value)}`)
    .join(", ")

const wayBranch = ({ loops, to, when }: Way, { dim, yellow }: Style): Branch => ({
  text: [
    `→ ${shownInline(to)}`,
    ...(when === undefined ? [] : [dim(`when ${shownInline(when)}`)]),
    ...(loops ? [yellow("loop")] : [])
  ].join("  "),
  below: []
})

const belowBranches = (below: Below | undefined, style: Style): ReadonlyArray<Branch> => {
  if (below === undefined) return []
  if (below._tag === "Left") return [{ text: style.dim(shownInline(below.reason)), below: [] }]
  return [{ text: headline(below.outline, style), below: outlineBranches(below.outline, style) }]
}

const stepText = ({ details, name, type }: OutlineStep | OutlineNode, { bold, dim }: Style): string =>
  [bold(shownInline(name)), type, ...(Object.keys(details).length === 0 ? [] : [dim(detailText(details))])].join("  ")

const stepBranch = (step: OutlineStep, style: Style): Branch => ({
  text: stepText(step, style),
  below: belowBranches(step.below, style)
})

const nodeBranch = (node: OutlineNode, style: Style): Branch => ({
  text: stepText(node, style),
  below: [
    ...(node.members ?? []).map((member) => stepBranch(member, style)),
    ...belowBranches(node.below, style),
    ...node.ways.map((way) => wayBranch(way, style))
  ]
})

const outlineBranches = ({ nodes, unreached }: PlanOutline, style: Style): ReadonlyArray<Branch> => [
  ...nodes.map((node) => nodeBranch(node, style)),
  ...unreached.map((name) => ({ text: style.yellow(`${shownInline(name)}  is never reached`), below: [] }))
]

const headline = ({ depth, file, limits, name, provider }: PlanOutline, { bold, dim }: Style): string =>
  [
    bold(shownInline(name)),
    dim(shownInline(file)),
    ...(depth === 0 ? [] : [`depth ${depth}`]),
    dim(`provider ${shownInline(provider)}, ${detailText(limits)}`)
  ].join("  ")

export const planTree = (outline: PlanOutline, style: Style): string =>
  [headline(outline, style), ...treeLines(outlineBranches(outline, style))].join("\n")
