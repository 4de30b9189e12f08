/** The files that a plan reads beside its own and those that it includes, so that a run can keep copies of them. */
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import { agentSteps } from "./AgentSteps.ts"
import type { Plan } from "./Plan.ts"
import { filesOfAssets, stepAssets } from "./skills/StepAssets.ts"

/** Absolute paths, each once. What cannot be found is not in it: the start of the run tells of that. */
export const planFiles = Effect.fn("PlanFiles.find")(function* (plan: Plan) {
  const path = yield* Path
  const directory = path.isAbsolute(plan.path) ? path.dirname(plan.path) : undefined
  const assets = yield* Effect.forEach(agentSteps(plan), (step) => stepAssets(plan.runtime, step, directory))
  return [...new Set(assets.flatMap(filesOfAssets))] as ReadonlyArray<string>
})
