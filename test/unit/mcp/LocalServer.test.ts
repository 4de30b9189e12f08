import { describe, expect, it } from "vitest"
import { makeLocalServer, type ServerParts } from "../../../src/mcp/LocalServer.ts"
import type { Session } from "../../../src/mcp/Session.ts"
import { contents, options } from "./Samples.ts"

const answer = { structuredContent: {}, text: "{}", isError: false }
const session: Session = {
  call: () => Promise.resolve(answer),
  warm: () => Promise.resolve(),
  close: () => Promise.resolve()
}
const call = { name: "soak", arguments: {}, signal: new AbortController().signal }

const parts = (fields: Partial<ServerParts> = {}): ServerParts => ({
  options: options(),
  catalogue: () => Promise.resolve(contents()),
  session: () => Promise.resolve(session),
  onError: () => {},
  onLoaded: () => {},
  ...fields
})

describe("the parts of a server", () => {
  it("are made once, however many ask at the same time", async () => {
    let catalogues = 0
    let sessions = 0
    const server = makeLocalServer(
      parts({
        catalogue: () => Promise.resolve((catalogues++, contents())),
        session: () => Promise.resolve((sessions++, session))
      })
    )
    await Promise.all([server.tools(), server.tools(), server.call(call), server.call(call)])
    expect([catalogues, sessions]).toEqual([1, 1])
  })

  it("nothing is made before a host asks for it", async () => {
    const server = makeLocalServer(
      parts({
        catalogue: () => Promise.reject(new Error("too early")),
        session: () => Promise.reject(new Error("too early"))
      })
    )
    expect(server.instructions).not.toBe("")
    await server.close()
  })

  it("a catalogue that could not be made is tried again when the host asks again", async () => {
    let attempts = 0
    const server = makeLocalServer(
      parts({
        catalogue: () => (++attempts === 1 ? Promise.reject(new Error("not now")) : Promise.resolve(contents()))
      })
    )
    await expect(server.tools()).rejects.toThrow("not now")
    expect((await server.tools()).map(({ name }) => name)).toContain("soak")
  })

  it("the first contact prepares the session once, in the background", async () => {
    let warmed = 0
    const prepared = new Promise<void>((resolve) => {
      const server = makeLocalServer(
        parts({
          session: () => Promise.resolve({ ...session, warm: () => Promise.resolve(void warmed++) }),
          onLoaded: resolve
        })
      )
      server.connected()
      server.connected()
    })
    expect(warmed).toBe(0)
    await prepared
    expect(warmed).toBe(1)
  })
})
