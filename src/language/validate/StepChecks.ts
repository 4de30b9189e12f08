/** What a single step may not do: use tools that the workflow does not list, or ask a model nothing. */
import { didYouMean } from "../Suggestion.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { typeOf, type Scope } from "./Scope.ts"

export const undeclaredTools = ({ document }: Scope): ReadonlyArray<Finding> =>
  document.agents.flatMap(({ tools = [] }, step) =>
    tools.flatMap((tool, index) =>
      document.tools.includes(tool)
        ? []
        : [
            error(
              ["agents", step, "tools", index],
              `the tool "${tool}" is not in the workflow's list of tools`,
              didYouMean(tool, document.tools) ?? "add it to tools at the root of the file"
            )
          ]
    )
  )

export const blankPrompts = ({ placedSteps }: Scope): ReadonlyArray<Finding> =>
  placedSteps.flatMap(({ place, step }) =>
    typeOf(step) === "agent" && step.system_prompt !== undefined && step.prompt.trim() === ""
      ? [warning([...place, "system_prompt"], `step "${step.name}" has a system_prompt but no prompt`)]
      : []
  )

/** Ours: the reference takes the first of equal names in silence. */
export const repeatedNames = ({ document }: Scope): ReadonlyArray<Finding> => {
  const seen = new Set<string>()
  return document.agents.flatMap(({ name }, step) => {
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const message = `step "${name}" is declared twice, and only the first one is ever run`
    return [error(["agents", step, "name"], message, "give each step a name of its own")]
  })
}
