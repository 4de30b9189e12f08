/** Starts of runs, as tests make them. */
import { Effect } from "effect"
import type { ValueMap } from "../../../src/domain/Value.ts"
import { RunLauncher } from "../../../src/runs/RunLauncher.ts"
import { requestFor, Workspace } from "./Workspace.ts"

/** Writes the text as a workflow file and starts it. */
export const launch = Effect.fn("launch")(function* (text: string, inputs: ValueMap = {}) {
  const workspace = yield* Workspace
  const launcher = yield* RunLauncher
  return yield* launcher.launch(yield* requestFor(yield* workspace.write("example.yaml", text), inputs))
})
