/** Options and arguments that several verbs share, so that they read the same everywhere. */
import { Args, Options } from "@effect/cli"

export const json = Options.boolean("json").pipe(Options.withDescription("Print JSON instead of text for people"))

export const runId = Args.text({ name: "run" }).pipe(Args.withDescription("Run id, as in 'conductor runs list'"))

export const workflowReference = Args.text({ name: "workflow" }).pipe(
  Args.withDescription("A workflow file, or a name in a registry: name or name@registry")
)
