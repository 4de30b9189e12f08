/**
 * The port through which validation follows sub-workflow references that are no files. By itself it asks nobody, so that
 * validation needs neither a home nor the network.
 */
import { Context, Effect } from "effect"

export type FoundWorkflow =
  | { readonly _tag: "Found"; readonly file: string }
  /** The run would fail at the step. `message` gives reason and remedy. */
  | { readonly _tag: "Refused"; readonly message: string }
  /** It may be right: who could tell cannot be asked. */
  | { readonly _tag: "NotChecked"; readonly reason: string }

export class ReferencedWorkflows extends Context.Reference<ReferencedWorkflows>()("conductor/ReferencedWorkflows", {
  defaultValue: () => ({
    find: (_reference: string): Effect.Effect<FoundWorkflow> =>
      Effect.succeed({ _tag: "NotChecked", reason: "registries are not asked here" })
  })
}) {}
