/** Every text that a run renders, by the type of its step (workflow language §3.2). What a type ignores is not here. */
import type { Route } from "../document/Route.ts"
import type { Step } from "../document/Step.ts"
import type { StepType } from "../document/Vocabulary.ts"
import type { WorkflowDocument } from "../document/WorkflowDocument.ts"
import type { Place } from "../Problem.ts"
import { typeOf, type PlacedStep, type Scope } from "./Scope.ts"
import { inQuestions } from "./StepTemplates.ts"
import { inValue, list, many, one, type TemplateField } from "./TemplateField.ts"

const texts = (place: Place, step: Step, keys: ReadonlyArray<keyof Step & string>): ReadonlyArray<TemplateField> =>
  keys.flatMap((key) => {
    const value = step[key]
    return typeof value === "string" ? one([...place, key], value) : []
  })

const RENDERED: Readonly<Record<StepType, (step: Step, place: Place) => ReadonlyArray<TemplateField>>> = {
  agent: (step, place) => [
    ...texts(place, step, ["prompt", "system_prompt", "model", "context_tier", "working_dir"]),
    ...one([...place, "reasoning", "effort"], step.reasoning?.effort)
  ],
  human_gate: (step, place) => texts(place, step, ["prompt"]),
  questions: (step, place) => [...texts(place, step, ["prompt"]), ...inQuestions([...place, "questions"], step)],
  script: (step, place) => [
    ...texts(place, step, ["command", "working_dir", "stdin"]),
    ...list([...place, "args"], step.args)
  ],
  set: (step, place) => [...texts(place, step, ["value"]), ...many([...place, "values"], step.values)],
  wait: (step, place) => texts(place, step, ["duration", "reason"]),
  terminate: (step, place) => [
    ...texts(place, step, ["reason"]),
    ...many([...place, "output_template"], step.output_template)
  ],
  workflow: (step, place) => many([...place, "input_mapping"], step.input_mapping),
  mcp: (step, place) => [
    ...texts(place, step, ["working_dir"]),
    ...inValue([...place, "arguments"], step.arguments ?? {})
  ]
}

export interface PlacedRoute {
  readonly route: Route
  readonly place: Place
}

const routesOf = (section: string, nodes: ReadonlyArray<{ readonly routes: ReadonlyArray<Route> }>) =>
  nodes.flatMap(({ routes }, node) =>
    routes.map((route, index): PlacedRoute => ({ route, place: [section, node, "routes", index] }))
  )

/** The routes that a run looks at: not those of gates, which lead where the answer does. */
export const livingRoutes = ({ agents, for_each: loops, parallel }: WorkflowDocument): ReadonlyArray<PlacedRoute> => [
  ...routesOf(
    "agents",
    agents.map((step) => (step.type === "human_gate" ? { routes: [] } : step))
  ),
  ...routesOf("parallel", parallel),
  ...routesOf("for_each", loops)
]

const inStep = ({ place, step }: PlacedStep): ReadonlyArray<TemplateField> => RENDERED[typeOf(step)](step, place)

export const renderedFields = ({ document, placedSteps }: Scope): ReadonlyArray<TemplateField> => [
  ...one(["workflow", "runtime", "working_dir"], document.workflow.runtime.working_dir),
  ...placedSteps.flatMap(inStep),
  ...livingRoutes(document).flatMap(({ place, route }) => many([...place, "output"], route.output)),
  ...many(["output"], document.output)
]

/** Hooks are rendered too, but a run goes on when that fails. */
export const hookFields = ({ document: { workflow } }: Scope): ReadonlyArray<TemplateField> =>
  many(["workflow", "hooks"], { ...workflow.hooks })
