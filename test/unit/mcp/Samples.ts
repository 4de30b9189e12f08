/** Entries and views that the tests of this room talk about. */
import type { CatalogueContents, CatalogueEntry } from "../../../src/catalogue/CatalogueEntry.ts"
import { pinOf } from "../../../src/domain/Pin.ts"
import { RunId } from "../../../src/domain/RunId.ts"
import type { ServeOptions } from "../../../src/mcp/ServeFlags.ts"
import type { RunView } from "../../../src/runs/RunView.ts"

const waitSeconds = { type: "number", description: "Seconds to wait for the result." }

export const entry = (fields: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  tool: "check_release",
  registry: "examples",
  key: "check-release",
  title: "check-release",
  description: "Decide whether a version may be released. (sync; ~1 min)",
  file: "/registry/check-release.yaml",
  pin: pinOf("check-release"),
  mode: "sync",
  readOnly: true,
  inputSchema: {
    type: "object",
    properties: { version: { type: "string", description: "The version to release" }, _wait_seconds: waitSeconds },
    required: ["version"],
    additionalProperties: false
  },
  parameters: {},
  outputSchema: { type: "object", properties: { allowed: { type: "boolean" } } },
  exposedBy: "exposed by default",
  ...fields
})

export const soak = entry({
  tool: "soak",
  key: "soak",
  title: "soak",
  description: "Repeat a check once a second. (async)",
  file: "/registry/soak.yaml",
  pin: pinOf("soak"),
  mode: "async",
  readOnly: false,
  destructive: true,
  inputSchema: { type: "object", properties: { _wait_seconds: waitSeconds }, additionalProperties: false },
  outputSchema: { type: "object" }
})

export const contents = (fields: Partial<CatalogueContents> = {}): CatalogueContents => ({
  entries: [entry(), soak],
  excluded: [],
  collisions: [],
  warnings: [],
  mode: "direct",
  ...fields
})

export const options = (fields: Partial<ServeOptions> = {}): ServeOptions => ({
  registries: [],
  allow: [],
  deny: [],
  workflowDirectories: [],
  toolsets: ["workflows", "runs"],
  maxDirectTools: 25,
  maxWaitSeconds: 300,
  toolPrefix: undefined,
  maxConcurrentRuns: 0,
  launchDirectory: "/base",
  provider: undefined,
  ...fields
})

export const view = (fields: Partial<RunView> = {}): RunView => ({
  runId: RunId.make("0a1b2c3d4e"),
  status: "running",
  workflow: {
    name: "check-release",
    registry: "examples",
    key: "check-release",
    pin: pinOf("check-release"),
    file: "/registry/check-release.yaml"
  },
  provenance: { via: "mcp", tool: "check_release" },
  startedAt: "2026-01-01T00:00:00.000Z",
  progress: {
    step: "compare",
    stepsCompleted: 1,
    stepsTotal: 3,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: null }
  },
  warnings: [],
  files: { events: "/runs/x/events.jsonl", stdout: "/runs/x/stdout.log", stderr: "/runs/x/stderr.log" },
  ...fields
})
