/** `conductor run` in a pseudo-terminal: what is drawn, asked and answered where a person sits. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { approval, asking, scripted } from "../support/runs/Workflows.ts"
import { type CliPlace, makeCliPlace } from "./CliProcess.ts"
import { hasTerminals } from "./TerminalProcess.ts"

const interrupt = "\u0003"
const down = "\u001b[B"
/** The output is the last thing on the terminal: whatever was drawn below has been taken away. */
const output = /\u001b\[J(\{[^\u001b]*\})\s*$/

describe.skipIf(!hasTerminals)("conductor run on a terminal", () => {
  let place: CliPlace
  beforeEach(() => {
    place = makeCliPlace()
    place.write("approval.yaml", approval.replace("Ship it?", `"Ship \\u001b[31mit?"`))
    place.write("slow.yaml", scripted("exec sleep 60"))
  })
  afterEach(() => place.remove())

  const statusOf = (runId: string): string => JSON.parse(place.call("status", runId, "--json").stdout).status
  const outputOf = (text: string): unknown => JSON.parse(output.exec(text)?.[1] ?? "null")

  it("asks a gate in place, again after a wrong answer, and prints the output alone", async () => {
    const terminal = place.terminal(["run", "approval.yaml"])
    await terminal.shows(/approve asks:\S* Ship \\u001b\[31mit\?/)
    await terminal.shows(/approve: $/)
    terminal.type("maybe\r")
    await terminal.shows(/'maybe' is no option\. Valid answers: yes \(Ship\), no \(Hold\)/)
    terminal.type(`${down}${down}\r`)
    await terminal.shows(/why: $/)
    terminal.type("too early\r")
    await terminal.shows(/✓\S* approve +human_gate .*no, why: too early/)
    expect(await terminal.ended).toBe(0)
    expect(outputOf(terminal.output)).toEqual({ answer: "no", why: "too early" })
  })

  it("asks questions one after another, back to one that was answered too", async () => {
    place.write("asking.yaml", asking)
    const terminal = place.terminal(["run", "asking.yaml"])
    await terminal.shows(/Question 1 of 2: Which colour\?/)
    terminal.type("red\r")
    await terminal.shows(/Question 2 of 2: How\?/)
    terminal.type("back to the question before\r")
    await terminal.shows(/Question 1 of 2: Which colour\?/)
    terminal.type("2\r")
    await terminal.shows(/Question 2 of 2: How\?/)
    terminal.type("answer in own words\r")
    await terminal.shows(/answer: $/)
    terminal.type("slowly\r")
    await terminal.shows(/All 2 questions are done\./)
    terminal.type("finish\r")
    expect(await terminal.ended).toBe(0)
    expect(outputOf(terminal.output)).toEqual({ answers: { colour: "blue", how: "slowly" } })
  })

  it("asks the question again at which a run was killed, and none that was answered before", async () => {
    place.write("asking.yaml", asking)
    const first = place.terminal(["run", "asking.yaml"])
    const runId = await first.shows(/run ([0-9a-f]{10})/)
    await first.shows(/Question 1 of 2/)
    first.type("red\r")
    await first.shows(/Question 2 of 2/)
    process.kill(JSON.parse(place.call("status", runId, "--json").stdout).pid, "SIGKILL")
    expect(await first.ended).toBe(1)
    const second = place.terminal(["resume", runId])
    await second.shows(/Question 2 of 2: How\?/)
    second.type("answer in own words\r")
    await second.shows(/answer: $/)
    second.type("slowly\r")
    await second.shows(/All 2 questions are done\./)
    second.type("finish\r")
    expect(await second.ended).toBe(0)
    expect(second.output).not.toContain("Question 1 of 2")
    expect(outputOf(second.output)).toEqual({ answers: { colour: "red", how: "slowly" } })
  })

  it("draws a prompt again in a narrower terminal, and gives it up when it is answered from elsewhere", async () => {
    const terminal = place.terminal(["run", "approval.yaml"])
    const runId = await terminal.shows(/run ([0-9a-f]{10})/)
    await terminal.shows(/Arrow keys, a number or a value, then Enter/)
    terminal.type("n")
    await terminal.shows(/approve: n$/)
    terminal.resize(30)
    await terminal.shows(/Arrow keys, a number or a va…/)
    expect(place.call("gate", "respond", runId, "yes")).toMatchObject({ code: 0 })
    expect(await terminal.ended).toBe(0)
    expect(outputOf(terminal.output)).toEqual({ answer: "yes", why: "" })
  })

  it("takes away all rows of lines that a very narrow terminal has wrapped", async () => {
    const terminal = place.terminal(["run", "approval.yaml"])
    await terminal.shows(/Arrow keys, a number or a value, then Enter/)
    terminal.resize(10)
    await terminal.shows(/Arrow keys, a numb…/)
    terminal.type("yes\r")
    // Six lines stand there, so one row each would be five rows up.
    expect(Number(await terminal.shows(/numb…[^]*?\u001b\[(\d+)A/))).toBeGreaterThan(6)
    expect(await terminal.ended).toBe(0)
  })

  it("asks after Ctrl-C: d leaves the run running and says how to follow it", async () => {
    const terminal = place.terminal(["run", "slow.yaml"])
    const runId = await terminal.shows(/run ([0-9a-f]{10})/)
    await terminal.shows(/work {2}script/)
    terminal.type(interrupt)
    await terminal.shows(/Cancel the run, or detach and leave it running\?/)
    terminal.type("d")
    expect(await terminal.ended).toBe(0)
    expect(terminal.output).toContain(`Run ${runId} goes on.`)
    expect(terminal.output).toContain(`conductor logs ${runId} --follow`)
    expect(statusOf(runId)).toBe("running")
    expect(place.call("stop", runId)).toMatchObject({ code: 0 })
  })

  it.each([
    ["c", "c"],
    ["a second Ctrl-C", interrupt]
  ])("asks after Ctrl-C: Enter goes on, %s cancels the run", async (_, answer) => {
    const terminal = place.terminal(["run", "slow.yaml"])
    const runId = await terminal.shows(/run ([0-9a-f]{10})/)
    await terminal.shows(/work {2}script/)
    terminal.type(interrupt)
    await terminal.shows(/Enter to keep following $/)
    terminal.type("\r")
    // The run is followed again: its time goes on. A Ctrl-C less than half a second after the first would be the same one.
    const seconds = async () => Number(await terminal.shows(/step done {2}(\d+)s/))
    const later = (await seconds()) + 2
    while ((await seconds()) < later);
    terminal.type(interrupt)
    await terminal.shows(/Enter to keep following $/)
    terminal.type(answer)
    await terminal.shows(/Cancelling run/)
    expect(await terminal.ended).toBe(130)
    expect(statusOf(runId)).toBe("cancelled")
  })

  it("without a terminal that can be drawn on writes lines, and Ctrl-C cancels at once", async () => {
    const terminal = place.terminal(["run", "slow.yaml"], { TERM: "dumb" })
    await terminal.shows(/script_started/)
    terminal.type(interrupt)
    expect(await terminal.ended).toBe(130)
    expect(terminal.output).toMatch(/ended: cancelled\./)
    expect(terminal.output).not.toContain("\u001b[J")
  })
})
