/**
 * The port to workflows that are named by a registry and not by a path. By itself it asks nobody, so that validation and
 * tests of workflows need neither a home nor the network.
 */
import { Context, Effect, Option } from "effect"
import type { AdHocReference, RegisteredReference } from "./Reference.ts"

export type FoundWorkflow =
  | { readonly _tag: "Found"; readonly file: string }
  /** The run would fail at the step. `message` gives reason and remedy. */
  | { readonly _tag: "Refused"; readonly message: string }
  /** It may be right: who could tell cannot be asked. */
  | { readonly _tag: "NotChecked"; readonly reason: string }

export interface ReferencedWorkflowsShape {
  readonly find: (reference: RegisteredReference | AdHocReference) => Effect.Effect<FoundWorkflow>
  /**
   * The file that has this path, from its root, in the registry that `directory` is part of. None when `directory` is part
   * of no registry, or that one does not have such a workflow.
   */
  readonly sibling: (path: string, directory: string) => Effect.Effect<Option.Option<string>>
}

export class ReferencedWorkflows extends Context.Reference<ReferencedWorkflows>()("conductor/ReferencedWorkflows", {
  defaultValue: (): ReferencedWorkflowsShape => ({
    find: () => Effect.succeed({ _tag: "NotChecked", reason: "registries are not asked here" }),
    sibling: () => Effect.succeedNone
  })
}) {}
