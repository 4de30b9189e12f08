/** Two steps that run at the same time must not talk in one session, which its key and working directory identify. */
import { error, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"
import { templateReferences } from "./TemplateReferences.ts"

/** Both texts go into the identity, so they are kept apart. */
const sessionOf = (key: string, directory: string | undefined): string => JSON.stringify([key, directory ?? null])

export const sharedSessions = ({ document }: Scope): ReadonlyArray<Finding> => {
  const { working_dir: inherited } = document.workflow.runtime
  return document.parallel.flatMap(({ agents, name }) => {
    const seen = new Map<string, string>()
    return document.agents.flatMap((step, index) => {
      if (!agents.includes(step.name) || step.session_key === undefined) return []
      const session = sessionOf(step.session_key, step.working_dir ?? inherited)
      const other = seen.get(session)
      seen.set(session, step.name)
      if (other === undefined) return []
      const message = `session_key "${step.session_key}" is also that of "${other}", which runs at the same time in "${name}"`
      return [error(["agents", index, "session_key"], message)]
    })
  })
}

export const itemSessions = ({ document }: Scope): ReadonlyArray<Finding> => {
  const { working_dir: inherited } = document.workflow.runtime
  return document.for_each.flatMap(({ agent, as, max_concurrent: concurrent, name }, index) => {
    if (agent.session_key === undefined || concurrent === 1) return []
    const roots = templateReferences(agent.working_dir ?? inherited ?? "").map(([root]) => root)
    if (roots.some((root) => [as, "_index", "_key"].includes(root))) return []
    const message = `items of "${name}" run at the same time in the session "${agent.session_key}"`
    const remedy = `set max_concurrent: 1, or a working_dir that differs by ${as}`
    return [error(["for_each", index, "agent", "session_key"], message, remedy)]
  })
}
