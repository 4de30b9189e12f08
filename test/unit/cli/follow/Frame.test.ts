/** Frames as a person sees them, reviewed as a file: what stands at the bottom of the terminal, and what scrolled by above. */
import { describe, expect, it } from "vitest"
import stringWidth from "string-width"
import { beginFollowing, follow, type Following, type Input } from "../../../../src/cli/follow/Following.ts"
import { frame } from "../../../../src/cli/follow/Frame.ts"
import { advanceActivity, noActivity } from "../../../../src/cli/follow/Activity.ts"
import { stepLine } from "../../../../src/cli/follow/StepLine.ts"
import { plain } from "../../../../src/cli/output/Style.ts"
import type { RunEvent } from "../../../../src/domain/RunEvent.ts"
import { event, specOf, startedData } from "../../../support/runs/Specs.ts"
import { enter, key, typed } from "./Keys.ts"

const begins = 1_767_225_600
const tokens = { tokens: 1200, input_tokens: 1000, output_tokens: 200, cost_usd: 0.0125 }
const failure = { error_type: "ProviderError", message: "no\u001b[31m answer\nat all", suggestion: null }
const item = (seq: number, index: number): RunEvent =>
  event(seq, "for_each_item_completed", {
    ...tokens,
    group_name: "research",
    item_key: String(index),
    index,
    elapsed: 2,
    model: "small",
    output: "x"
  })

const gate = (seq: number, prompt: string, ...values: ReadonlyArray<string>): RunEvent =>
  event(seq, "gate_presented", {
    agent_name: "approve",
    prompt_id: `approve:${seq}`,
    prompt,
    options: values,
    option_details: values.map((value) => ({
      label: `Label of ${value}`,
      value,
      route: "$end",
      prompt_for: value === "no" ? "why" : null,
      multiline: false
    }))
  })

const happens = (event: RunEvent): Input => ({ _tag: "Event", event, age: "new" })
const keys = (...pressed: ReturnType<typeof typed>): ReadonlyArray<Input> =>
  pressed.map((key) => ({ _tag: "Key", key }))

const start = happens(
  event(1, "workflow_started", {
    ...startedData,
    name: "weekly report",
    agents: [{ name: "plan" }, { name: "approve" }, { name: "write" }],
    for_each_groups: [{ name: "research" }]
  })
)
const plan = [
  happens(event(2, "agent_started", { agent_name: "plan", iteration: 1, agent_type: "agent" })),
  happens(
    event(9, "agent_completed", {
      ...tokens,
      agent_name: "plan",
      elapsed: 7,
      model: "small",
      output: {},
      output_keys: []
    })
  )
]
const research = [
  happens(
    event(10, "for_each_started", { group_name: "research", item_count: 10, max_concurrent: 3, failure_mode: "x" })
  ),
  happens(item(12, 0)),
  happens(item(14, 1)),
  happens(
    event(15, "for_each_item_failed", { ...failure, group_name: "research", item_key: "2", index: 2, elapsed: 5 })
  )
]
const nested = [
  happens(event(16, "agent_started", { agent_name: "sub", iteration: 2, agent_type: "workflow" })),
  happens(
    event(17, "agent_started", { agent_name: "inner", iteration: 1, agent_type: "script", subworkflow_path: ["sub"] })
  )
]
const asks = happens(gate(20, "Ship it?", "yes", "no", "later"))
const listening: Input = { _tag: "Listening" }

const after = (...inputs: ReadonlyArray<Input>): Following =>
  inputs.reduce<Following>((following, input) => follow(following, input)[0], beginFollowing(specOf("a")))

const at = (seconds: number, columns: number, rows: number, following: Following): ReadonlyArray<string> =>
  frame(following, { size: { columns, rows }, now: (begins + seconds) * 1000, style: plain, progress: "shown" })

const frames: Readonly<Record<string, ReadonlyArray<string>>> = {
  "before the run says anything": at(0, 80, 24, after()),
  "a step at work": at(4, 80, 24, after(start, ...plan.slice(0, 1))),
  "a group with a failed item": at(75, 80, 24, after(start, ...plan, ...research)),
  "a step of a sub-workflow": at(18, 80, 24, after(start, ...plan, ...nested)),
  "a gate": at(21, 80, 24, after(start, ...plan, asks, listening)),
  "a gate, with the arrow on an option": at(
    21,
    80,
    24,
    after(start, ...plan, asks, listening, ...keys(key("down"), key("down")))
  ),
  "a gate, after a wrong answer": at(
    21,
    80,
    24,
    after(start, ...plan, asks, listening, ...keys(...typed("maybe"), enter))
  ),
  "a gate, with the text that an option asks for": at(
    21,
    80,
    24,
    after(
      start,
      ...plan,
      asks,
      listening,
      ...keys(...typed("no"), enter, ...typed("too"), key("enter"), ...typed("early"))
    )
  ),
  "a gate in a small terminal": at(21, 24, 5, after(start, ...plan, asks, listening, ...keys(key("up")))),
  "after Ctrl-C at a gate": at(21, 80, 24, after(start, ...plan, asks, listening, { _tag: "CtrlC" })),
  "after Ctrl-C in a small terminal": at(21, 24, 5, after(start, ...plan, ...research, { _tag: "CtrlC" }, listening))
}

describe("the bottom of the terminal", () => {
  it("is the reviewed picture", async () => {
    const text = Object.entries(frames).map(([name, lines]) => `── ${name}\n${lines.join("\n")}\n`)
    await expect(text.join("\n")).toMatchFileSnapshot("../../../snapshots/cli/frames/bottom.txt")
  })

  it("fits every terminal, however small, and keeps the line that is typed on", () => {
    const following = after(start, ...plan, ...nested, asks, listening, ...keys(...typed("漢".repeat(100))))
    for (const columns of [20, 21, 40, 80]) {
      for (const rows of [2, 3, 5, 24]) {
        const lines = at(21, columns, rows, following)
        expect(lines.length).toBeLessThan(rows)
        expect(lines.filter((line) => stringWidth(line) >= columns)).toEqual([])
        expect(lines.at(-1)).toMatch(/^approve: …漢+$/)
      }
    }
  })

  it("shows a question only once its keys are heard", () => {
    expect(at(21, 80, 24, after(start, asks)).join()).not.toContain("approve: ")
    expect(at(21, 80, 24, after(start, { _tag: "CtrlC" })).join()).not.toContain("[c]ancel")
  })

  it("shows only what is asked when the command shall be quiet", () => {
    const setting = { size: { columns: 80, rows: 24 }, now: 0, style: plain, progress: "hidden" } as const
    expect(frame(after(start, ...plan), setting)).toEqual([])
    expect(frame(after(start, asks, listening), setting).at(-1)).toBe("approve: ")
  })
})

describe("the lines that scroll by", () => {
  const events: ReadonlyArray<RunEvent> = [
    ...[...plan, ...research, ...nested].flatMap((input) => (input._tag === "Event" ? [input.event] : [])),
    event(30, "for_each_completed", {
      group_name: "research",
      success_count: 9,
      failure_count: 1,
      elapsed: 61,
      output: {}
    }),
    event(31, "script_completed", {
      agent_name: "inner",
      subworkflow_path: ["sub"],
      elapsed: 0.31,
      stdout: "",
      stderr: "",
      exit_code: 3,
      stdin_bytes: null,
      output: {}
    }),
    event(32, "set_completed", {
      agent_name: "step",
      subworkflow_path: ["research[1]"],
      elapsed: 0,
      output_type: "str",
      output_keys: [],
      value_repr: "inside of an item",
      output: ""
    }),
    event(33, "gate_resolved", {
      agent_name: "approve",
      prompt_id: "p",
      selected_option: "no",
      route: "$end",
      additional_input: { why: "[bold]too[/bold] early\u202e" }
    }),
    event(34, "run_warning", { warning: "the disk is full" }),
    event(35, "agent_retry", {
      ...failure,
      agent_name: "write",
      attempt: 1,
      max_attempts: 3,
      error: "429",
      delay: 2
    }),
    event(36, "agent_failed", { ...failure, agent_name: "write", elapsed: 3700, agent_type: "terminate" })
  ]

  it.each(["questions", "dialog"] as const)(
    "leave out the answers to prompts of a step that asks more: %s",
    (step_type) => {
      const answered = event(37, "gate_resolved", {
        agent_name: "talk",
        step_type,
        prompt_id: "p",
        selected_option: "reply",
        route: "",
        additional_input: { message: "m" }
      })
      expect(stepLine(answered, { style: plain, columns: 80, names: 8 })).toBeUndefined()
      const beginning = event(36, "agent_started", { agent_name: "talk", iteration: 1, agent_type: "agent" })
      const talking = [beginning, answered].reduce(advanceActivity, noActivity(specOf("a")))
      expect(talking.active.map(({ name }) => name)).toEqual(["talk"])
    }
  )

  it("are aligned, one row each, and literal", async () => {
    const lines = events.flatMap((event) => stepLine(event, { style: plain, columns: 80, names: 8 }) ?? [])
    expect(lines.filter((line) => stringWidth(line) > 80 || line.includes("\n"))).toEqual([])
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../../snapshots/cli/frames/lines.txt")
  })
})
