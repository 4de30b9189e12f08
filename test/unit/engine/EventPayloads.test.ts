/** The data of every event, held against the fields that the reference writes (run files and events §2.2). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { People } from "../../../src/engine/People.ts"
import { engineFor, planOf, recorded, type Setting } from "./RunText.ts"

const TOKENS = "tokens input_tokens output_tokens cost_usd"
const FAILURE = "agent_name elapsed error_type message"
const PLACE = "agent_name parent_path slot_key"

/** Fields that are always there; `agent_completed` is that of a model step. */
const FIELDS: Readonly<Record<string, string>> = {
  workflow_started:
    "name version entry_point agents parallel_groups for_each_groups providers routes metadata inputs system run_id log_file",
  workflow_completed: "elapsed output",
  workflow_failed: "error_type message agent_name",
  agent_started: "agent_name iteration agent_type",
  agent_completed: `agent_name elapsed model ${TOKENS} output output_keys`,
  agent_prompt_rendered: "agent_name rendered_prompt context_keys",
  agent_failed: `${FAILURE} agent_type`,
  agent_validator_start: "agent_name model criteria_preview",
  agent_validator_complete: `agent_name passed issues errored model ${TOKENS} elapsed`,
  agent_validation_failed: "agent_name issues will_retry",
  agent_parse_recovery: "agent_name attempt max_attempts reason error",
  script_started: "agent_name iteration",
  script_completed: "agent_name elapsed stdout stderr exit_code stdin_bytes",
  script_failed: FAILURE,
  wait_started: "agent_name iteration duration_seconds reason",
  wait_completed: "agent_name elapsed waited_seconds requested_seconds reason interrupted",
  wait_failed: FAILURE,
  set_started: "agent_name iteration",
  set_completed: "agent_name elapsed output_type output_keys value_repr",
  set_failed: FAILURE,
  gate_presented: "agent_name options option_details prompt",
  gate_resolved: "agent_name selected_option route additional_input",
  questions_presented: "agent_name total prompt questions",
  questions_answered: "agent_name question_id cursor total source skipped",
  questions_completed: "agent_name outcome answered_count skipped_count",
  route_taken: "from_agent to_agent",
  parallel_started: "group_name agents",
  parallel_agent_started: "group_name agent_name working_dir",
  parallel_agent_completed: "group_name agent_name elapsed model tokens cost_usd",
  parallel_agent_failed: `group_name ${FAILURE}`,
  parallel_completed: "group_name success_count failure_count elapsed",
  for_each_started: "group_name item_count max_concurrent failure_mode",
  for_each_item_started: "group_name item_key index",
  for_each_agent_started: "group_name agent_name item_key working_dir",
  for_each_item_completed: "group_name item_key elapsed tokens cost_usd output",
  for_each_item_failed: "group_name item_key elapsed error_type message",
  for_each_completed: "group_name success_count failure_count elapsed",
  subworkflow_started: `${PLACE} iteration workflow`,
  subworkflow_completed: `${PLACE} elapsed output`,
  subworkflow_failed: `${PLACE} elapsed error_type message`,
  budget_exceeded: "budget_usd spent_usd budget_mode current_agent",
  iteration_limit_reached: "agent_name current_iteration max_iterations agent_history possible_loop skip_gates",
  iteration_limit_resolved: "agent_name continue_execution additional_iterations aborted"
}

/** What only some of the events of a type have, by who writes them. */
const ofItem = "item_key iteration"
const SOMETIMES: ReadonlyArray<readonly [string, (event: RunEvent) => boolean, string]> = [
  ["agent_started", (event) => "agent_type" in event.data && event.data.agent_type === "agent", "working_dir"],
  [
    "agent_failed",
    (event) => "agent_type" in event.data && event.data.agent_type === "terminate",
    "termination_reason terminated_by is_explicit status"
  ],
  ["subworkflow_started", (event) => event.data.group_name !== undefined, "item_key"],
  ["subworkflow_completed", (event) => event.data.group_name !== undefined, ofItem],
  ["subworkflow_failed", (event) => event.data.group_name !== undefined, ofItem],
  ["agent_validator_start", (event) => event.data.group_name !== undefined, "item_key"]
]

const words = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

const missingIn = (event: RunEvent): ReadonlyArray<string> => {
  const always = words(FIELDS[event.type] ?? "")
  const sometimes = SOMETIMES.flatMap(([type, applies, fields]) =>
    type === event.type && applies(event) ? words(fields) : []
  )
  return [...always, ...sometimes].filter((field) => !Object.hasOwn(event.data, field))
}

interface Case extends Setting {
  readonly text: string
  readonly gates?: "ask" | "skip"
}

/** Takes the first option of whatever is asked. */
const somebody = Layer.succeed(People, {
  ask: ({ gate }) => Effect.succeed({ selected: gate.options[0]?.value ?? "", additionalInput: {} })
})

const step = (fields: string, more = ""): Case => ({
  text: `workflow: {name: w, entry_point: s${more}}\nagents: [{name: s, ${fields}}]\n`
})

const child = "workflow: {name: c, entry_point: a}\nagents: [{name: a, type: set, value: '1'}]\n"
const failing = "workflow: {name: c, entry_point: a}\nagents: [{name: a, type: set, value: '{{ no }}'}]\n"

const each = (agent: string): string =>
  `workflow: {name: w, entry_point: f, input: {l: {type: array, default: [1]}}}\nagents: []\n` +
  `for_each: [{name: f, type: for_each, source: workflow.input.l, as: i, agent: {name: x, ${agent}}}]\n`

const beside = (prompt: string): string =>
  "workflow: {name: w, entry_point: p}\n" +
  `agents: [{name: a, prompt: '${prompt}'}, {name: b, type: set, value: '1'}]\nparallel: [{name: p, agents: [a, b]}]\n`

const CASES: ReadonlyArray<Case> = [
  step("prompt: p"),
  {
    ...step("prompt: p, output: {n: {type: number}}, retry: {max_parse_recovery_attempts: 1}"),
    script: { s: ["no json", { n: 1 }] }
  },
  {
    ...step("prompt: p, validator: {criteria: good}"),
    script: { s: ["a", "b"], "s (validator)": [{ passed: false, issues: ["bad"] }] }
  },
  step("type: script, command: echo"),
  step("type: script, command: echo, output: {n: {type: number}}"),
  step("type: wait, duration: 0.001, reason: r"),
  step("type: wait, duration: '{{ no }}'"),
  step("type: set, value: '1'"),
  step("type: set, value: '{{ no }}'"),
  step("type: terminate, status: failed, reason: r"),
  step("type: human_gate, prompt: p, options: [{label: y, value: y, route: $end}]"),
  { ...step("type: questions, questions: [{id: q, text: t, choices: [red]}]"), gates: "ask" },
  step("type: set, value: '1', routes: [{to: s}]", ", limits: {max_iterations: 2}"),
  {
    ...step("prompt: p, model: gpt-4", ", limits: {budget_usd: 0.01, budget_mode: enforce}"),
    script: { s: [ScriptedAgents.reply("x", { usage: { input_tokens: 1_000_000, output_tokens: 0 } })] }
  },
  { text: beside("p") },
  { text: beside("{{ no }}") },
  { text: each("prompt: p, validator: {criteria: good}") },
  { text: each("prompt: '{{ no }}'") },
  { text: each("type: workflow, workflow: child"), workflows: { child } },
  { text: each("type: workflow, workflow: child"), workflows: { child: failing } },
  { ...step("type: workflow, workflow: child"), workflows: { child } },
  { ...step("type: workflow, workflow: child"), workflows: { child: failing } }
]

const eventsOf = ({ gates = "skip", text, ...setting }: Case) =>
  Effect.gen(function* () {
    const engine = yield* Engine
    yield* engine.run({ runId: "test", plan: yield* planOf(text), inputs: {}, metadata: {}, gates })
    return yield* recorded
  }).pipe(Effect.provide([engineFor(setting), somebody]))

describe("the events of a run", () => {
  it.live("have the fields that the reference gives them, and each of them was looked at", () =>
    Effect.gen(function* () {
      const events = (yield* Effect.forEach(CASES, eventsOf)).flat()
      const missing = events.flatMap((event) => missingIn(event).map((field) => `${event.type}.${field}`))
      expect(missing).toEqual([])
      const seen = new Set<string>(events.map(({ type }) => type))
      expect(Object.keys(FIELDS).filter((type) => !seen.has(type))).toEqual([])
    })
  )
})
