import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { makeBoundary } from "../../../src/boundary/Boundary.ts"
import { makeRedactor } from "../../../src/boundary/Redactor.ts"
import type { Value } from "../../../src/domain/Value.ts"
import type { RunStatus } from "../../../src/domain/RunStatus.ts"
import { runEnvelope } from "../../../src/mcp/definitions/RunEnvelope.ts"
import { makeOutputCleaner } from "../../../src/mcp/CleanOutput.ts"
import { type AnswerOptions, type AnswerSettings, largestText, runAnswer } from "../../../src/mcp/RunAnswer.ts"
import type { ToolResult } from "../../../src/mcp/ToolSurface.ts"
import type { RunView } from "../../../src/runs/RunView.ts"
import { view } from "./Samples.ts"

const secret = "hunter2-hunter2-hunter2"
const boundary = makeBoundary(makeRedactor([secret]))
const settings: AnswerSettings = {
  boundary,
  toolsets: ["workflows", "runs"],
  cleanOutput: makeOutputCleaner(boundary)
}
let runs = 0
const answer = (fields: Partial<RunView>, options: AnswerOptions = {}): ToolResult => {
  const lastEvent = { seq: ++runs, type: "workflow_completed", at: "2026-01-01T00:00:01.000Z" }
  return runAnswer(view({ lastEvent, ...fields }), settings, options)
}

const ajv = new Ajv({ strict: true })
const isEnvelope = ajv.compile(runEnvelope())
const textOf = (result: ToolResult) => JSON.parse(result.text) as Record<string, unknown>

const large = { lines: Array.from({ length: 3_000 }, (_, index) => `line ${index} → "quoted"`) }
const error = { type: "ScriptError", message: "exit code 1", step: "compare" }

const states: Record<RunStatus, Partial<RunView>> = {
  running: {},
  awaiting_gate: {
    gate: {
      step: "approve",
      promptId: "approve:a:1",
      prompt: `Ship it with ${secret}?`,
      options: [{ value: "yes", label: "Ship", route: "$end", promptFor: "note" }]
    }
  },
  paused: {},
  completed: { output: { allowed: true }, endedAt: "2026-01-01T00:00:01.000Z" },
  failed: { error },
  cancelled: { error: { ...error, type: "Cancelled", step: null } },
  lost: { error: { ...error, type: "Lost" }, warnings: ["The process is gone."] }
}

describe("a run as an answer", () => {
  for (const [status, fields] of Object.entries(states)) {
    it(`${status}: keeps the one envelope, says what to do, and is no error of the call`, () => {
      const result = answer({ ...fields, status: status as RunStatus })
      expect(isEnvelope(result.structuredContent), JSON.stringify(isEnvelope.errors)).toBe(true)
      expect(result.structuredContent["status"]).toBe(status)
      expect(result.structuredContent["next"]).not.toBe("")
      expect(result.isError).toBe(false)
    })
  }

  it("a gate is told with its options, without secrets, and with the way to answer it", () => {
    const { structuredContent } = answer({ ...states.awaiting_gate, status: "awaiting_gate" })
    expect(structuredContent["gate"]).toEqual({
      step: "approve",
      prompt: expect.not.stringContaining(secret),
      options: [{ value: "yes", label: "Ship", prompt_for: "note" }]
    })
    expect(structuredContent["next"]).toContain("conductor gate respond")
    expect(structuredContent["next"]).toContain("--input")
  })

  it("the text block carries the same facts when they fit", () => {
    const result = answer({ status: "completed", output: { allowed: true } })
    expect(textOf(result)).toEqual(result.structuredContent)
  })

  it("a running run is followed by await, not by asking for its status again and again", () => {
    expect(answer({}).structuredContent["next"]).toContain('conductor_await_run(run_id: "0a1b2c3d4e")')
  })

  it("without the run tools the next step names the command line", () => {
    const { structuredContent } = runAnswer(view(), { ...settings, toolsets: ["workflows"] }, {})
    expect(structuredContent["next"]).toContain("conductor status 0a1b2c3d4e")
  })

  it("an output of a middling size is whole, and its text is a part that says where to read on", () => {
    const output = { text: "x".repeat(20_000) }
    const result = answer({ status: "completed", output })
    expect(result.structuredContent["output"]).toEqual(output)
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(largestText)
    const { output: none, output_preview: preview, next } = textOf(result)
    expect(none).toBeUndefined()
    const { text, next_offset } = preview as { text: string; next_offset: number }
    expect(JSON.stringify(output).startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(6_000)
    expect(next_offset).toBe(Buffer.byteLength(text))
    expect(next).toContain(`output_offset: ${next_offset}`)
  })

  it("an output over 32 KB is previewed and can be read in parts to its end", () => {
    const completed: Partial<RunView> = { status: "completed", output: large }
    const first = answer(completed)
    expect(first.structuredContent["output"]).toBeUndefined()
    let read = ""
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const result = answer(completed, { page: { offset, limit: 10_000 } })
      expect(isEnvelope(result.structuredContent), JSON.stringify(isEnvelope.errors)).toBe(true)
      const page = result.structuredContent["output_preview"] as { text: string; next_offset?: number }
      read += page.text
      offset = page.next_offset
    }
    expect(JSON.parse(read)).toEqual(large)
  })

  it("a host that shows only text can read a large output to its end as well", () => {
    const completed: Partial<RunView> = { status: "completed", output: large }
    let read = ""
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const result = answer(completed, { page: { offset, limit: 100_000 } })
      expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(largestText)
      const page = textOf(result)["output_preview"] as { text: string; next_offset?: number }
      read += page.text
      offset = page.next_offset
    }
    expect(JSON.parse(read)).toEqual(large)
  })

  it("an output that breaks its announced type is given as text, since hosts would refuse it", () => {
    const outputSchema = { type: "object", properties: { allowed: { type: "boolean" } } }
    const isTyped = new Ajv({ strict: true }).compile(runEnvelope(outputSchema))
    const result = answer({ status: "completed", output: { allowed: "perhaps" } }, { outputSchema })
    expect(isTyped(result.structuredContent), JSON.stringify(isTyped.errors)).toBe(true)
    expect(result.structuredContent["output_preview"]).toMatchObject({ text: '{"allowed":"perhaps"}' })
  })

  it("no secret leaves, wherever a workflow puts it, also where a cut would divide it", () => {
    for (const filler of [4_080, 4_090, 8_100]) {
      const result = answer({
        status: "failed",
        output: { [secret]: `${"x".repeat(filler)}${secret}${"y".repeat(40_000)}` },
        error: { type: secret, message: `${"x".repeat(3_060)}${secret}`, step: secret },
        warnings: [secret]
      })
      const sent = JSON.stringify(result)
      expect(sent).not.toContain("hunter2")
    }
  })

  it("the parts of an output are parts of one text, which is made once", () => {
    let made = 0
    const counting = { ...boundary, value: (output: Value) => (made++, boundary.value(output)) }
    const cleanOutput = makeOutputCleaner(counting)
    const parts = { ...settings, cleanOutput }
    for (const offset of [0, 10, 20]) {
      runAnswer(view({ status: "completed", output: large }), parts, { page: { offset, limit: 10 } })
    }
    expect(made).toBe(1)
  })

  it("no lone surrogate leaves", () => {
    const result = answer({ status: "failed", output: { text: "a\ud800b" }, error: { ...error, message: "\udc00" } })
    expect(JSON.stringify(result)).not.toMatch(/\\ud[89a-f]/i)
    expect(result.text.isWellFormed()).toBe(true)
  })

  it("whatever a run says, the text block keeps 8 KB and the whole message stays far below 1 MB", () => {
    const long = "→".repeat(50_000)
    const result = answer({
      status: "failed",
      output: { long, more: "\u0001".repeat(50_000) },
      error: { type: long, message: long, step: long },
      workflow: { ...view().workflow, name: long, registry: long },
      progress: { ...view().progress, step: long },
      warnings: [long, long, long, long]
    })
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(largestText)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(100_000)
    expect(isEnvelope(result.structuredContent), JSON.stringify(isEnvelope.errors)).toBe(true)
  })
})
