import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { openSession, type RunServices } from "../../../src/mcp/Session.ts"
import { RunStoreError } from "../../../src/runs/RunErrors.ts"
import { contents, options } from "./Samples.ts"
import { testServer } from "./TestServer.ts"

const status = { name: "conductor_run_status", arguments: { run_id: "nobody" } }

describe("a session", () => {
  it("answers every call, and says why when the machine does not let it work, until it does", async () => {
    let broken = true
    const services: Layer.Layer<RunServices, RunStoreError> = Layer.unwrapEffect(
      Effect.suspend(() =>
        broken
          ? Effect.fail(new RunStoreError({ path: "/home", message: "The home is read-only." }))
          : Effect.succeed(testServer())
      )
    )
    const session = openSession(services, contents(), options())
    const call = () => session.call({ ...status, signal: new AbortController().signal })
    expect((await call()).structuredContent["error"]).toEqual({
      type: "Unavailable",
      message: "The home is read-only."
    })
    broken = false
    expect((await call()).structuredContent["error"]).toMatchObject({ type: "RunNotFound" })
    await session.close()
  })

  it("a call that is given up is rejected, and the next one is answered", async () => {
    const session = openSession(testServer(), contents(), options())
    const controller = new AbortController()
    controller.abort(new Error("enough"))
    await expect(session.call({ ...status, signal: controller.signal })).rejects.toThrow("enough")
    const answered = await session.call({ ...status, signal: new AbortController().signal })
    expect(answered.isError).toBe(true)
    await session.close()
  })
})
