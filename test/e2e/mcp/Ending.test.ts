import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makePlace, type Place, program, ServerProcess } from "./ServerProcess.ts"

/** Milliseconds (issue: the MCP server). */
const limit = 500

/** The processes that still run, found from parent to child, as a host finds them. */
const descendantsOf = (ancestor: number | undefined): ReadonlyArray<number> => {
  const table = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout
  const processes = table.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number | undefined): ReadonlyArray<number> =>
    processes.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid, ...below(pid)] : []))
  return below(ancestor)
}

describe("the end of a server", () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())

  const ends: Readonly<Record<string, (server: ServerProcess) => void>> = {
    "stdin ends": (server) => server.process.stdin.end(),
    SIGINT: (server) => server.process.kill("SIGINT"),
    SIGTERM: (server) => server.process.kill("SIGTERM"),
    "nobody reads stdout": (server) => {
      server.process.stdout.destroy()
      server.send({ id: 1, method: "ping" })
    }
  }
  for (const [name, end] of Object.entries(ends)) {
    it(`${name}: the process is gone within ${limit} ms, in the middle of a wait, and the run lives on`, async () => {
      const server = await new ServerProcess(place).start()
      const { run_id } = await server.call("nap", { seconds: 6 })
      server.send({
        id: 7,
        method: "tools/call",
        params: { name: "conductor_await_run", arguments: { run_id, wait_seconds: 40 } }
      })
      await server.call("conductor_run_status", { run_id })
      const asked = Date.now()
      end(server)
      const { at, code } = await server.ended
      expect(at - asked).toBeLessThan(limit)
      expect(code).toBe(0)

      const second = await new ServerProcess(place).start()
      expect(await second.call("conductor_run_status", { run_id })).toMatchObject({ status: "running" })
      expect(await second.call("conductor_await_run", { run_id })).toMatchObject({ status: "completed" })
      await second.stop()
    })
  }

  it("SIGKILL loses nothing either: another server answers for the run", async () => {
    const server = await new ServerProcess(place).start()
    const { run_id } = await server.call("nap", { seconds: 2 })
    server.process.kill("SIGKILL")
    await server.ended
    const second = await new ServerProcess(place).start()
    expect(await second.call("conductor_await_run", { run_id })).toMatchObject({ run_id, status: "completed" })
    await second.stop()
  })

  it("a host that ends everything that descends from its server spares the run", async () => {
    const server = await new ServerProcess(place).start()
    const { run_id } = await server.call("nap", { seconds: 2 })
    for (const pid of descendantsOf(server.process.pid)) process.kill(pid, "SIGTERM")
    server.process.kill("SIGTERM")
    await server.ended
    const second = await new ServerProcess(place).start()
    expect(await second.call("conductor_await_run", { run_id })).toMatchObject({ run_id, status: "completed" })
    await second.stop()
  })

  it("a server that is left before it said anything ends as well", async () => {
    const server = new ServerProcess(place)
    expect((await server.stop()).code).toBe(0)
    expect(server.lines).toEqual([])
  })
})

describe("a launcher between host and server", () => {
  it("takes the server with it, even when it is killed and stdin stays open", async () => {
    const place = makePlace()
    const wrapper = spawn("sh", ["-c", '"$@"; true', "sh", process.execPath, program, "mcp", "serve"], {
      env: place.environment,
      stdio: ["pipe", "pipe", "ignore"]
    })
    const closed = once(wrapper.stdout, "close")
    wrapper.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
    await once(wrapper.stdout, "data")
    wrapper.kill("SIGKILL")
    // The pipe closes when the last process that holds it is gone.
    await closed
    await place.remove()
  })
})

describe("a server that nobody can talk to", () => {
  it("names all that is wrong with its flags on stderr and exits with 2", async () => {
    const place = makePlace()
    const server = new ServerProcess(place, ["--toolsets", "run", "--max-wait-seconds", "-1", "--launch-dir", "/none"])
    expect((await server.ended).code).toBe(2)
    expect(server.stderr).toMatch(/--toolsets[^]*--max-wait-seconds[^]*--launch-dir/)
    expect(server.lines).toEqual([])
    await place.remove()
  })

  it.skipIf(spawnSync("sh", ["-c", "command -v script"]).status !== 0)(
    "prints its help on stderr and exits with 2 when a person started it in a terminal",
    () => {
      const server = `"${process.execPath}" "${program}" mcp serve 2>&1 >/dev/null`
      const { stdout, status } = spawnSync("sh", ["-c", `script -qec '${server}' /dev/null`], { encoding: "utf8" })
      expect(stdout).toContain("Usage: conductor mcp serve")
      expect(status).toBe(2)
    }
  )
})
