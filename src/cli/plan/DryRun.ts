/** `conductor run --dry-run`: shows what would run. Starts nothing, asks no model and writes no file. */
import { Effect, Layer } from "effect"
import * as FileWorkflowResolver from "../../engine/FileWorkflowResolver.ts"
import type { LoadedWorkflow } from "../../language/Loader.ts"
import { compilePlan } from "../../language/Plan.ts"
import { unsupportedSteps } from "../../language/UnsupportedSteps.ts"
import { registeredWorkflows } from "../CheckWorkflow.ts"
import { Output, printJson, shownInline } from "../output/Output.ts"
import { outlinePlan } from "./PlanOutline.ts"
import { outlineJson, planTree } from "./PlanTree.ts"

export const dryRun = (
  loaded: LoadedWorkflow,
  { json, provider }: { readonly json: boolean; readonly provider: string | undefined }
) =>
  Effect.gen(function* () {
    const output = yield* Output
    const plan = compilePlan(loaded)
    const outline = yield* Effect.provide(
      outlinePlan(plan, provider),
      Layer.provide(FileWorkflowResolver.layer, registeredWorkflows)
    )
    const unsupported = unsupportedSteps(plan)
    if (json) {
      return yield* printJson({ ...outlineJson(outline), unsupported: unsupported.map((step) => ({ ...step })) })
    }
    yield* output.print(planTree(outline, output.style))
    for (const { reason, step } of unsupported)
      yield* output.print(output.style.yellow(`cannot run yet: ${shownInline(step)}: ${shownInline(reason)}`))
  })
