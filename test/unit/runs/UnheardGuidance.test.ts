/** What a run that goes on has still to hear. */
import { describe, expect, it } from "@effect/vitest"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { RunId } from "../../../src/domain/RunId.ts"
import { unheardGuidance } from "../../../src/runs/UnheardGuidance.ts"

const runId = RunId.make("0badcafe")

const say = (text: string) => ({ type: "guidance", text }) as const

const started = (run_id: string) => ({ seq: 1, timestamp: 1, type: "workflow_started", data: { run_id } }) as RunEvent

const heard = (text: string, source = "cli") =>
  ({ seq: 2, timestamp: 1, type: "guidance_applied", data: { text, source, agent_name: "a" } }) as RunEvent

const cancel = { type: "cancel", requested_by: "a test" } as const

describe("guidance that was not heard", () => {
  it("is what came after as many texts as the log has", () => {
    const messages = [say("one"), cancel, say("  "), say(" two "), say("three")]
    expect(unheardGuidance(runId, messages, [])).toEqual(["one", "two", "three"])
    expect(unheardGuidance(runId, messages, [started(runId)])).toEqual(["one", "two", "three"])
    expect(unheardGuidance(runId, messages, [started(runId), heard("one")])).toEqual(["two", "three"])
    const history = [started(runId), heard("one"), started(runId), heard("two"), heard("three")]
    expect(unheardGuidance(runId, messages, history)).toEqual([])
  })

  it("is not lost because somebody else was heard, or another run from which this one was forked", () => {
    expect(unheardGuidance(runId, [say("one")], [started(runId), heard("x", "dashboard")])).toEqual(["one"])
    expect(unheardGuidance(runId, [say("one")], [started("deadbeef"), heard("x")])).toEqual(["one"])
    const fork = [started("deadbeef"), heard("x"), started(runId), heard("one")]
    expect(unheardGuidance(runId, [say("one"), say("two")], fork)).toEqual(["two"])
  })
})
