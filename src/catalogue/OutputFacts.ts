/**
 * What a workflow file says about the values of its final output, as far as the text alone tells. When an include hides a
 * part that could set an output, nothing is known of any output. Never reads another file.
 */
import { Either } from "effect"
import type { OutputFields } from "../language/document/OutputField.ts"
import type { WorkflowMetadata } from "../language/Metadata.ts"
import { parseYaml } from "../language/yaml/ParseYaml.ts"
import { nodeAt, type YamlNode } from "../language/yaml/YamlNode.ts"
import { promisesAnything } from "./ToolOutputSchema.ts"

/** A step or group under the name that templates see. */
interface OutputNode {
  readonly name: string
  /** A step type of the workflow language; `group` for the others. */
  readonly type: string
  /** What a step declares of its output. */
  readonly output?: OutputFields
}

export interface OutputFacts {
  /** The workflow's `output:` templates by key. */
  readonly templates: Readonly<Record<string, string>>
  /** Repeated names included. */
  readonly nodes: ReadonlyArray<OutputNode>
  /** Keys that a `$end` route or a `terminate` step may set to something else. */
  readonly overrides: ReadonlySet<string>
}

const itemsOf = (node: YamlNode | undefined): ReadonlyArray<YamlNode> => (node?.kind === "sequence" ? node.items : [])

const textOf = (node: YamlNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined

const keysOf = (node: YamlNode | undefined): ReadonlyArray<string> =>
  node?.kind === "mapping" ? node.entries.map(({ key }) => key) : []

const SECTIONS = ["agents", "parallel", "for_each"] as const

/** The mappings that replace final outputs, and every place on the way to them. */
const overridesOf = (root: YamlNode) => {
  const sections = SECTIONS.map((section) => nodeAt(root, [section]))
  const nodes = sections.flatMap(itemsOf)
  const routes = nodes.map((node) => nodeAt(node, ["routes"]))
  const routeItems = routes.flatMap(itemsOf)
  const mappings = [
    ...nodes.map((node) => nodeAt(node, ["output_template"])),
    ...routeItems.map((route) => nodeAt(route, ["output"]))
  ]
  const onTheWay = [...sections, ...nodes, ...routes, ...routeItems, ...mappings]
  return { hidden: onTheWay.some((node) => node?.kind === "include"), keys: mappings.flatMap(keysOf) }
}

const nodesOf = (root: YamlNode, outputs: WorkflowMetadata["stepOutputs"]): ReadonlyArray<OutputNode> => {
  const steps = itemsOf(nodeAt(root, ["agents"])).flatMap((step): ReadonlyArray<OutputNode> => {
    const name = textOf(nodeAt(step, ["name"]))
    if (name === undefined) return []
    const output = outputs.get(name)
    return [{ name, type: textOf(nodeAt(step, ["type"])) ?? "agent", ...(output === undefined ? {} : { output }) }]
  })
  const groups = ["parallel", "for_each"].flatMap((section) =>
    itemsOf(nodeAt(root, [section])).flatMap((group): ReadonlyArray<OutputNode> => {
      const name = textOf(nodeAt(group, ["name"]))
      return name === undefined ? [] : [{ name, type: "group" }]
    })
  )
  return [...steps, ...groups]
}

/** `undefined` when not even the names of the outputs can be read. */
export const outputFactsOf = (source: string, metadata: WorkflowMetadata): OutputFacts | undefined => {
  const templates = Either.getOrUndefined(metadata.outputs)
  if (templates === undefined) return undefined
  const unknown: OutputFacts = { templates, nodes: [], overrides: new Set() }
  // Reading the text a second time is worth it only when the declared outputs alone would allow a promise.
  const declared = Array.from(metadata.stepOutputs, ([name, output]): OutputNode => ({ name, type: "agent", output }))
  if (!promisesAnything({ ...unknown, nodes: declared })) return unknown
  const root = Either.getOrElse(parseYaml(source, ""), () => null)
  if (root === null) return unknown
  const { hidden, keys } = overridesOf(root)
  return hidden ? unknown : { templates, nodes: nodesOf(root, metadata.stepOutputs), overrides: new Set(keys) }
}
