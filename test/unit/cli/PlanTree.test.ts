import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { plain } from "../../../src/cli/output/Style.ts"
import { outlinePlan } from "../../../src/cli/plan/PlanOutline.ts"
import { outlineJson, planTree } from "../../../src/cli/plan/PlanTree.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { makeCommandWorld } from "./CommandWorld.ts"

const report = `
workflow:
  name: report
  entry_point: plan
  limits: { max_iterations: 20, timeout_seconds: 600, budget_usd: 5 }
  runtime: { provider: openai, default_model: small }
agents:
  - name: plan
    prompt: Plan
    routes: [{ to: research, when: "{{ output.ready }}" }, { to: plan }]
  - { name: left, prompt: Left }
  - { name: right, prompt: Right, provider: claude }
  - name: approve
    type: human_gate
    prompt: "Good\\u001b[31m?"
    options:
      - { label: Ship, value: ship, route: write }
      - { label: Again, value: again, route: plan }
  - name: write
    type: workflow
    workflow: ./write.yaml
    routes: [{ to: both }]
  - { name: stop, type: terminate, status: failed, reason: none }
parallel:
  - { name: both, agents: [left, right], routes: [{ to: $end }] }
for_each:
  - name: research
    type: for_each
    source: plan.output.topics
    as: topic
    agent: { name: writer, type: workflow, workflow: ./write.yaml }
    routes: [{ to: approve }]
`

const write = `
workflow: { name: write, entry_point: draft }
agents:
  - { name: draft, type: wait, duration: 2s, routes: [{ to: deeper }] }
  - { name: deeper, type: workflow, workflow: ./write.yaml, routes: [{ to: lost }] }
  - { name: lost, type: workflow, workflow: ./lost.yaml, routes: [{ to: $end }] }
`

const services = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Environment.layerProcess)

describe("the plan of a workflow", () => {
  it("is a tree with the ways, the groups and each sub-workflow once, and the same as data", async () => {
    const world = await makeCommandWorld()
    const file = await world.write("report.yaml", report)
    await world.write("write.yaml", write)
    const outline = await Effect.gen(function* () {
      const plan = compilePlan(yield* loadWorkflow(file))
      return yield* Effect.provide(outlinePlan(plan, undefined), FileWorkflowResolver.layer)
    }).pipe(Effect.provide(services), Effect.runPromise)
    await world.remove()
    const here = (text: string): string => text.replaceAll(world.folder, "/folder")
    await expect(`${here(planTree(outline, plain))}\n`).toMatchFileSnapshot("../../snapshots/cli/plan/report.txt")
    await expect(`${here(JSON.stringify(outlineJson(outline), null, 2))}\n`).toMatchFileSnapshot(
      "../../snapshots/cli/plan/report.json"
    )
  })
})
