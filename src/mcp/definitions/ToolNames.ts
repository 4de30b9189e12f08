/** The names of the tools that are not workflows. Texts and handlers refer to them from here. */
export const toolNames = {
  find: "conductor_find_workflow",
  run: "conductor_run_workflow",
  await: "conductor_await_run",
  status: "conductor_run_status",
  cancel: "conductor_cancel_run",
  list: "conductor_list_runs"
} as const

/** No workflow may be published under one of these, whatever is published now. */
export const reservedNames: ReadonlyArray<string> = Object.values(toolNames)
