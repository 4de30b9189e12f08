/** What goes over the wire, byte by byte. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makePlace, type Place, ServerProcess } from "./ServerProcess.ts"

describe("the wire", () => {
  let place: Place
  let server: ServerProcess
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(async () => {
    await server.stop()
    await place.remove()
  })

  it("stdout carries protocol frames only, whatever a dependency prints", async () => {
    const noise = join(place.folder, "noise.cjs")
    writeFileSync(
      noise,
      `setInterval(() => {
        console.log("noise by console")
        process.stdout.write("noise by stdout\\n")
        require("node:process").stdout.write("noise by module\\n")
      }, 5).unref()`
    )
    server = await new ServerProcess(place, [], { NODE_OPTIONS: `--require=${noise}` }).start()
    await server.call("add", { left: 1 })
    expect(server.messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true)
    for (const kind of ["console", "stdout", "module"]) expect(server.stderr).toContain(`noise by ${kind}`)
  })

  it("lines that are no messages are reported once on stderr, are not answered, and harm nothing", async () => {
    server = await new ServerProcess(place).start()
    server.write('hello\n{\n\n[1,2\n{"not": "a message"}\nhello again\n')
    expect((await server.request("ping")).result).toEqual({})
    expect(server.messages.filter(({ error }) => error !== undefined)).toEqual([])
    expect(server.stderr.match(/conductor: .* no JSON-RPC message/g)).toHaveLength(1)
  })

  it("a call that is given up is not answered, also when its id is 0, and its run goes on", async () => {
    server = await new ServerProcess(place).start()
    const { run_id } = await server.call("nap", { seconds: 3 })
    const params = { name: "conductor_await_run", arguments: { run_id, wait_seconds: 40 } }
    server.send({ id: 0, method: "tools/call", params })
    await server.call("conductor_run_status", { run_id })
    server.send({ method: "notifications/cancelled", params: { requestId: 0, reason: "enough" } })
    expect(await server.call("conductor_await_run", { run_id })).toMatchObject({ status: "completed" })
    expect(server.messages.filter(({ id }) => id === 0)).toEqual([])
  })

  it("calls do not wait for each other", async () => {
    server = await new ServerProcess(place).start()
    const { run_id } = await server.call("nap", { seconds: 30 })
    const waiting = server.call("conductor_await_run", { run_id, wait_seconds: 40 })
    expect(await server.call("conductor_run_status", { run_id })).toMatchObject({ status: "running" })
    expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({ status: "cancelled" })
    expect(await waiting).toMatchObject({ status: "cancelled" })
  })

  it("progress echoes the caller's token, 0 included, and comes only when it was asked for", async () => {
    server = await new ServerProcess(place).start()
    const { run_id } = await server.call("nap", { seconds: 3 })
    for (const progressToken of [0, "text", undefined]) {
      const params = {
        name: "conductor_await_run",
        arguments: { run_id, wait_seconds: 1.3 },
        ...(progressToken === undefined ? {} : { _meta: { progressToken } })
      }
      const before = server.lines.length
      await server.request("tools/call", params)
      const tokens = server.messages
        .slice(before)
        .filter(({ method }) => method === "notifications/progress")
        .map((message) => message.params?.["progressToken"])
      expect(tokens).toEqual(progressToken === undefined ? [] : [progressToken])
    }
  })

  it("initialize is answered before the catalogue is built, and the summary says what is served", async () => {
    server = new ServerProcess(place)
    await server.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" }
    })
    expect(server.stderr).toBe("")
    const { result } = await server.request("tools/list")
    const tools = result?.["tools"] as ReadonlyArray<{ name: string }>
    expect(tools.map(({ name }) => name)).toEqual([
      "add",
      "nap",
      "refuse",
      "conductor_await_run",
      "conductor_run_status",
      "conductor_cancel_run",
      "conductor_list_runs"
    ])
    expect(result).not.toHaveProperty("nextCursor")
    const summary = /conductor serves 3 workflows[^]*add +dir:flows\/add +sha256:[0-9a-f]{8}/
    await server.until(() => summary.exec(server.stderr) ?? undefined)
  })

  it("a second start lists the same tools, byte by byte, and a changed file is seen by the next start", async () => {
    const list = async (): Promise<string> => {
      server = await new ServerProcess(place).start()
      const { result } = await server.request("tools/list")
      await server.stop()
      return JSON.stringify(result)
    }
    const first = await list()
    expect(await list()).toBe(first)
    const name = "brand-new"
    writeFileSync(
      join(place.folder, `${name}.yaml`),
      `workflow:\n  name: ${name}\n  entry_point: a\nagents:\n  - { name: a, type: set, value: "1", routes: [{ to: $end }] }\noutput: {}\n`
    )
    expect(await list()).toContain('"brand_new"')
  })
})
