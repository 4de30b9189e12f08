/** `conductor show <workflow>`: what a workflow asks for, does and gives. */
import { Effect } from "effect"
import { stringifyJson, type ValueMap } from "../domain/Value.ts"
import { inputSchemaOf } from "../language/InputSchema.ts"
import { loadWorkflow } from "../language/Loader.ts"
import { compilePlan, type Plan } from "../language/Plan.ts"
import type { PlanNode } from "../language/PlanNode.ts"
import { unsupportedSteps } from "../language/UnsupportedSteps.ts"
import { Output, printJson, shownInline } from "./output/Output.ts"
import { renderTable } from "./output/Table.ts"
import { resolveWorkflow } from "./ResolveWorkflow.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

const routesOf = (node: PlanNode): ReadonlyArray<string> => {
  if (node.kind === "terminate") return []
  const routes = node.routes.map(({ to, when }) => (when === undefined ? to : `${to} when ${when}`))
  return routes.length === 0 ? ["$end"] : routes
}

const planJson = (plan: Plan, file: string): ValueMap => ({
  name: plan.name,
  ...(plan.description === undefined ? {} : { description: plan.description }),
  file,
  entry_point: plan.entry,
  input_schema: { ...inputSchemaOf(plan.inputs) },
  nodes: [...plan.nodes.values()].map((node) => ({ name: node.name, type: node.kind, routes: [...routesOf(node)] })),
  output: { ...plan.output },
  unsupported: unsupportedSteps(plan).map((step) => ({ ...step }))
})

const inputRows = (plan: Plan): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(plan.inputs).map(([name, input]) => [
    shownInline(name),
    input.type,
    input.default === undefined ? (input.required ? "required" : "optional") : stringifyJson(input.default),
    shownInline(input.description ?? "")
  ])

export const show = (options: Call<Verbs["show"]>) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { file } = yield* resolveWorkflow(options.workflow)
    const plan = compilePlan(yield* loadWorkflow(file))
    if (options.json) return yield* printJson(planJson(plan, file))
    const { bold, dim, yellow } = output.style
    const sections = [
      `${bold(shownInline(plan.name))}  ${dim(file)}`,
      ...(plan.description === undefined ? [] : [shownInline(plan.description)])
    ]
    const inputs = inputRows(plan)
    if (inputs.length > 0) {
      const columns = [{ title: "input" }, { title: "type" }, { title: "default" }, { title: "description" }]
      sections.push("", renderTable(columns, inputs, { title: dim, width: output.width }))
    }
    const nodes = [...plan.nodes.values()].map((node) => [
      `${node.name === plan.entry ? "→ " : "  "}${shownInline(node.name)}`,
      node.kind,
      routesOf(node).map(shownInline).join("; ")
    ])
    sections.push(
      "",
      renderTable([{ title: "  step" }, { title: "type" }, { title: "then" }], nodes, {
        title: dim,
        width: output.width
      })
    )
    const outputs = Object.entries(plan.output).map(([name, template]) => [shownInline(name), shownInline(template)])
    if (outputs.length > 0)
      sections.push(
        "",
        renderTable([{ title: "output" }, { title: "from" }], outputs, { title: dim, width: output.width })
      )
    yield* output.print(sections.join("\n"))
    for (const { reason, step } of unsupportedSteps(plan))
      yield* output.print(yellow(`cannot run yet: ${shownInline(step)}: ${shownInline(reason)}`))
  })
