/** Which way a run took. */
import type { RunEvent } from "../../src/domain/RunEvent.ts"

const isOfRoot = ({ data }: RunEvent): boolean => !("subworkflow_path" in data) && !("group_name" in data)

/** Steps and groups of the root in the order in which they were started. */
export const startedNodes = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => {
    if (event.type === "parallel_started" || event.type === "for_each_started") return [event.data.group_name]
    return event.type === "agent_started" && isOfRoot(event) ? [event.data.agent_name] : []
  })
