/** Specs and events of runs that never ran, for tests of what is kept of them. */
import { pinOf } from "../../../src/domain/Pin.ts"
import type { EventData, RunEvent, RunEventData, RunEventType } from "../../../src/domain/RunEvent.ts"
import { RunId } from "../../../src/domain/RunId.ts"
import type { RunSpec } from "../../../src/runs/RunSpec.ts"
import type { RunDraft } from "../../../src/runs/RunStore.ts"

export const draft: RunDraft = {
  workflow: { name: "example", registry: "test", key: "example", pin: pinOf("text"), file: "/workflows/example.yaml" },
  inputs: '{"number":3.0}',
  metadata: { team: "blue" },
  launch_directory: "/",
  provenance: { via: "library", tool: "example_tool" }
}

export const specOf = (runId: string, change: Partial<RunSpec> = {}): RunSpec => ({
  ...draft,
  version: 1,
  run_id: RunId.make(runId),
  created_at: "2026-01-01T00:00:00.000Z",
  ...change
})

export const event = <T extends RunEventType>(seq: number, type: T, data: EventData<T>): RunEvent =>
  ({ seq, type, timestamp: 1_767_225_600 + seq, data }) as RunEvent

export const startedData: RunEventData["workflow_started"] = {
  name: "Example workflow",
  version: "1",
  run_id: "a",
  entry_point: "one",
  agents: [{ name: "one" }, { name: "two" }],
  parallel_groups: [],
  for_each_groups: [],
  routes: [],
  providers: {},
  log_file: "",
  metadata: {},
  inputs: {},
  system: {},
  max_iterations: 10
}

export const started = event(1, "workflow_started", startedData)

export const completedStep = (seq: number, step: string): RunEvent =>
  event(seq, "set_completed", {
    agent_name: step,
    elapsed: 0.1,
    output_type: "str",
    output_keys: [],
    value_repr: '"x"',
    output: "x"
  })
