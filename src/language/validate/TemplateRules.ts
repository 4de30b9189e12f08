/** Templates read things that exist: outputs of nodes that the workflow has, and inputs that it declares. */
import type { Place } from "../Problem.ts"
import { didYouMean } from "../Suggestion.ts"
import { error, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"
import { referencesOf, type PlacedChain } from "./StepTemplates.ts"
import { templateReferences, type Chain } from "./TemplateReferences.ts"

const PARTS = new Set(["output", "outputs", "errors"])

/** Roots that are always there and are no nodes. */
const RESERVED = new Set(["workflow", "context"])

/** Whether a chain reads the result of a node, existing or not. */
export const readsNode = ([root, part]: Chain): boolean => part !== undefined && PARTS.has(part) && !RESERVED.has(root)

/** The name of the workflow input that a chain reads. */
export const inputOf = ([root, part, name]: Chain): string | undefined =>
  root === "workflow" && part === "input" ? name : undefined

/** A workflow that declares no inputs takes any, so a name is only wrong beside others. */
const unknownInput = (name: string, place: Place, { inputs }: Scope): ReadonlyArray<Finding> =>
  inputs.size === 0 || inputs.has(name)
    ? []
    : [error(place, `the template reads the input "${name}", which is not declared`, didYouMean(name, inputs))]

const check = ({ chain, place }: PlacedChain, scope: Scope): ReadonlyArray<Finding> => {
  const input = inputOf(chain)
  if (input !== undefined) return unknownInput(input, place, scope)
  if (!readsNode(chain) || scope.nodes.has(chain[0])) return []
  const message = `the template reads "${chain.slice(0, 2).join(".")}", but no step or group is called "${chain[0]}"`
  return [error(place, message, didYouMean(chain[0], scope.nodes))]
}

export const stepTemplates = (scope: Scope): ReadonlyArray<Finding> =>
  scope.placedSteps.flatMap((placed) => referencesOf(placed).flatMap((reference) => check(reference, scope)))

export const outputTemplates = (scope: Scope): ReadonlyArray<Finding> =>
  Object.entries(scope.document.output).flatMap(([name, template]) =>
    templateReferences(template).flatMap((chain) => check({ place: ["output", name], chain }, scope))
  )

/** A step that no model stands behind cannot read what runs at the same time as it does. */
export const siblingTemplates = ({ document, placedSteps }: Scope): ReadonlyArray<Finding> =>
  document.parallel.flatMap(({ agents, name }) =>
    placedSteps
      .filter(
        ({ loopVariable, step }) =>
          loopVariable === undefined && (step.type === "set" || step.type === "mcp") && agents.includes(step.name)
      )
      .flatMap((member) =>
        referencesOf(member)
          .filter(({ chain }) => readsNode(chain) && chain[0] !== member.step.name && agents.includes(chain[0]))
          .map(({ chain, place }) =>
            error(
              place,
              `step "${member.step.name}" reads "${chain[0]}", which runs at the same time in the group "${name}"`
            )
          )
      )
  )
