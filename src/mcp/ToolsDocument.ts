/** `docs/tools.md`, made from the definitions, so that it says what hosts see. */
import type { JsonSchema } from "../catalogue/CatalogueEntry.ts"
import type { Json } from "../domain/Value.ts"
import { runEnvelope } from "./definitions/RunEnvelope.ts"
import { discoveryTools, runTools } from "./definitions/ToolList.ts"
import type { ToolDefinition } from "./ToolSurface.ts"

const isObject = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const typeOf = (schema: JsonSchema): string => {
  const { enum: options, items, type } = schema
  if (Array.isArray(options)) return options.map((option) => `\`${String(option)}\``).join(", ")
  return type === "array" && isObject(items) ? `list of ${typeOf(items)}` : String(type)
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** One row a property, those of nested objects below their own. */
const rows = (schema: JsonSchema, prefix = ""): ReadonlyArray<string> => {
  const { properties, required } = schema
  if (!isObject(properties)) return []
  const always = Array.isArray(required) ? required : []
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    const path = `${prefix}${name}`
    const element = isObject(property["items"]) ? property["items"] : undefined
    return [
      `| \`${path}\` | ${cell(typeOf(property))} | ${always.includes(name) ? "always" : ""} | ${cell(String(property["description"] ?? ""))} |`,
      ...rows(property, `${path}.`),
      ...(element === undefined ? [] : rows(element, `${path}[].`))
    ]
  })
}

const table = (schema: JsonSchema, presence: string): ReadonlyArray<string> => [
  `| Name | Type | ${presence} | Meaning |`,
  "|---|---|---|---|",
  ...rows(schema)
]

const hints = ({ annotations }: ToolDefinition): string => {
  const { destructiveHint, idempotentHint, openWorldHint, readOnlyHint } = annotations
  return [
    readOnlyHint ? "read-only" : "not read-only",
    ...(destructiveHint === undefined ? [] : [destructiveHint ? "destructive" : "not destructive"]),
    ...(idempotentHint ? ["idempotent"] : []),
    openWorldHint ? "reaches the outside world" : "stays on this machine"
  ].join(", ")
}

const speaksOfRun = (tool: ToolDefinition): boolean => "run_id" in Object(tool.outputSchema["properties"])

const section = (tool: ToolDefinition): ReadonlyArray<string> => [
  `## ${tool.name}`,
  "",
  tool.description,
  "",
  `Hints: ${hints(tool)}.`,
  "",
  ...table(tool.inputSchema, "Required"),
  "",
  ...(speaksOfRun(tool)
    ? ["Returns [the run envelope](#the-run-envelope)."]
    : ["Returns:", "", ...table(tool.outputSchema, "Present")]),
  ""
]

const introduction = `# Tools

Generated from the tool definitions; do not edit.

Each served workflow is a tool of its own, named after the workflow. Above \`--max-direct-tools\` workflows the pair
\`conductor_find_workflow\` and \`conductor_run_workflow\` stands for them. The other tools follow runs, whoever started
them. \`--toolsets\` chooses between the two groups.

## The run envelope

Workflow tools, and all tools that take a \`run_id\`, answer in one shape in every state. The text of an answer carries the
same facts in at most 8 KB, for hosts that show a model only text. An output over 32 KB comes as \`output_preview\`, and
\`conductor_run_status\` reads it in parts. There is no dashboard yet, so no answer has a \`url\`.
`

const errors = `
### What is an error

An answer is marked as an error (\`isError\`) when the call could not do what it was asked to: wrong arguments, an unknown
run, a run that could not be started or cancelled. Then \`error\` says why, and \`next\` what to do. A run that failed, was
cancelled or was lost is not such an error: the call found out what it was asked for, and \`status\` says it. Only a tool
that does not exist, or a malformed request, is an error of the protocol.
`

/** Markdown. */
export const toolsDocument = (): string =>
  [introduction, ...table(runEnvelope(), "Present"), errors, ...[...discoveryTools, ...runTools].flatMap(section)].join(
    "\n"
  )
