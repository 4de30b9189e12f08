import { describe, expect, it } from "vitest"
import { plain } from "../../../src/cli/output/Style.ts"
import { eventLine } from "../../../src/cli/runs/EventLine.ts"
import { elapsedText } from "../../../src/cli/runs/RunReport.ts"
import { stepCounts } from "../../../src/runs/StepCounts.ts"
import { event } from "../../support/runs/Specs.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe("elapsed time", () => {
  const texts: Readonly<Record<string, number>> = {
    "0.0s": 0,
    "0.3s": 0.3 * second,
    "9.9s": 9.94 * second,
    "10s": 9.96 * second,
    "59s": 59.4 * second,
    "2m 5s": 2 * minute + 5 * second,
    "1h 4m": hour + 4 * minute + 59 * second,
    "2d 1h": 49 * hour + 3 * minute
  }
  for (const [text, milliseconds] of Object.entries(texts)) {
    it(`${milliseconds} ms are shown as ${text}`, () => expect(elapsedText(milliseconds)).toBe(text))
  }

  it("is not negative when the clock went backwards", () => expect(elapsedText(-5 * second)).toBe("0.0s"))
})

describe("the steps of a run", () => {
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: null }
  const counts = (status: "running" | "completed", stepsCompleted: number, stepsTotal: number) =>
    stepCounts({ status, progress: { step: null, stepsCompleted, stepsTotal, usage } })

  it("have a total while the run goes on, and none in a loop or when branches were left out", () => {
    expect(counts("running", 1, 3)).toBe("1 of 3 steps done")
    expect(counts("running", 0, 1)).toBe("0 of 1 step done")
    expect(counts("running", 7, 3)).toBe("7 steps done")
    expect(counts("completed", 1, 3)).toBe("1 step done")
  })
})

describe("an event on a line", () => {
  it("has the time in UTC, its number and what it says", () => {
    const line = eventLine(
      event(3, "script_completed", {
        agent_name: "work",
        elapsed: 0.123456,
        stdout: "two\nlines",
        stderr: "",
        exit_code: 0,
        stdin_bytes: null,
        output: {}
      }),
      plain
    )
    expect(line).toBe("00:00:03.000    3 script_completed agent_name=work elapsed=0.123 stdout=two lines exit_code=0")
  })

  it("lets no escape code of a workflow reach the terminal", () => {
    const line = eventLine(event(1, "agent_message", { agent_name: "\u001b[31mred", content: "\u009b2J" }), plain)
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it("with a time that is none is still shown", () => {
    const broken = { ...event(1, "run_warning", { warning: "odd" }), timestamp: Number.MAX_VALUE }
    expect(eventLine(broken, plain)).toContain("run_warning warning=odd")
  })
})
