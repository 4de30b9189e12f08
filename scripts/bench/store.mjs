// A store of many finished runs, written the way the program writes them: a folder each, with its spec and its events.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const pin = `sha256:${"ab".repeat(32)}`

export const makeStore = (home, count) => {
  const runs = join(home, "store", "runs")
  mkdirSync(runs, { recursive: true, mode: 0o700 })
  const ids = []
  const first = Date.UTC(2026, 0, 1) / 1000
  for (let index = 0; index < count; index += 1) {
    const id = `b${index.toString(16).padStart(9, "0")}`
    const at = first + index * 60
    const folder = join(runs, id)
    mkdirSync(folder, { mode: 0o700 })
    const spec = {
      version: 1,
      run_id: id,
      workflow: {
        name: `workflow ${index % 40}`,
        registry: "bench",
        key: `workflow-${index % 40}`,
        pin,
        file: `/bench/workflow-${index % 40}.yaml`
      },
      inputs: "{}",
      metadata: {},
      launch_directory: "/",
      provenance: { via: "cli" },
      created_at: new Date(at * 1000).toISOString()
    }
    const events = [
      [
        "workflow_started",
        {
          name: spec.workflow.name,
          version: "1",
          run_id: id,
          entry_point: "check",
          agents: [{ name: "check", type: "set" }],
          parallel_groups: [],
          for_each_groups: [],
          routes: [],
          metadata: {},
          inputs: {},
          system: {}
        }
      ],
      ["agent_started", { agent_name: "check", iteration: 1, agent_type: "set" }],
      ["set_started", { agent_name: "check", iteration: 1 }],
      [
        "set_completed",
        {
          agent_name: "check",
          elapsed: 0.01,
          output_type: "auto",
          output_keys: ["verdict"],
          value_repr: "{}",
          output: { verdict: `ok ${index}` }
        }
      ],
      ["route_taken", { from_agent: "check", to_agent: "$end" }],
      index % 10 === 9
        ? [
            "workflow_failed",
            { elapsed: 0.02, error_type: "ValueError", message: `part ${index} is broken`, agent_name: "check" }
          ]
        : ["workflow_completed", { elapsed: 0.02, output: { verdict: `ok ${index}` } }]
    ].map(([type, data], seq) => JSON.stringify({ seq: seq + 1, type, timestamp: at + seq * 0.01, data }))
    writeFileSync(join(folder, "run.json"), JSON.stringify(spec), { mode: 0o600 })
    writeFileSync(join(folder, "events.jsonl"), `${events.join("\n")}\n`, { mode: 0o600 })
    ids.push(id)
  }
  return ids
}
