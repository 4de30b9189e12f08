/** Folders hold all kinds of things. A server lists what it can, says what it cannot, and never waits or falls for it. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { it } from "../support/fault/FaultTest.ts"
import { toolNames, workflowTools } from "../support/fault/ListedTools.ts"

const flow = (name: string): string => `workflow:
  name: ${JSON.stringify(name)}
  entry_point: a
  mcp: { mode: sync }
agents:
  - { name: a, type: set, value: "here", routes: [{ to: $end }] }
output: { said: "{{ a.output }}" }
`

/** Those of every place. */
const usual = ["add", "nap", "refuse"]

describe("file names", () => {
  const names = [
    "with space",
    "ünïcödé",
    "日本語",
    "🐎",
    "a'b\"c",
    "-rf",
    "$(reboot)",
    "%s",
    "..x",
    "UPPER",
    "x".repeat(200)
  ]

  it("of every kind become tools that can be called", async ({ place, serve }) => {
    for (const name of names) writeFileSync(join(place.folder, `${name}.yaml`), flow(name))
    const server = await serve({ args: ["--max-direct-tools", "100"] })
    const tools = (await workflowTools(server)).filter((name) => !usual.includes(name))
    expect(tools).toHaveLength(names.length)
    expect(new Set(tools).size).toBe(names.length)
    for (const name of tools) expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/)
    for (const answer of await Promise.all(tools.map((name) => server.call(name)))) {
      expect(answer).toMatchObject({ status: "completed", output: { said: "here" } })
    }
  })

  it("that would draw over a terminal are named without it, and not served", async ({ place, serve }) => {
    for (const name of ["new\nline", "\u001b[2Jclear"]) writeFileSync(join(place.folder, `${name}.yaml`), flow("odd"))
    const server = await serve()
    expect(await workflowTools(server)).toEqual(usual)
    const summary = await server.until(() => /not served[^]*new[^]*clear.*\n/.exec(server.stderr)?.[0])
    expect(summary).toMatch(/new\ufffdline .*holds a control character; rename it/)
    expect(summary).toMatch(/\ufffd\[2Jclear .*holds a control character; rename it/)
  })

  it("like those of the server's own tools take nothing from these", async ({ place, serve }) => {
    for (const name of ["conductor_run_status", "conductor_cancel_run"])
      writeFileSync(join(place.folder, `${name}.yaml`), flow(name))
    const server = await serve()
    const tools = await toolNames(server)
    expect(new Set(tools).size).toBe(tools.length)
    const { run_id } = await server.call("add", { left: 1 })
    expect(await server.call("conductor_run_status", { run_id })).toMatchObject({ run_id, output: { sum: 2 } })
  })
})

const reasons: ReadonlyArray<readonly [name: string, reason: string]> = [
  ["pipe", "not an ordinary file"],
  ["loop", "ELOOP"],
  ["round", "ELOOP"],
  ["outside", "leads out of the registry's folder"],
  ["device", "leads out of the registry's folder"],
  ["dangling", "ENOENT"],
  ["soup", "not UTF-8"],
  ["huge", "the limit is 1048576"],
  ["bomb", "aliases expand"]
]

describe("a folder", () => {
  it("with pipes, loops, links that lead out, byte soup and a file of ten megabytes serves the rest and says why", async ({
    place,
    serve
  }) => {
    const at = (name: string): string => join(place.folder, name)
    execFileSync("mkfifo", [at("pipe.yaml")])
    symlinkSync("round.yaml", at("loop.yaml"))
    symlinkSync("loop.yaml", at("round.yaml"))
    symlinkSync("/etc/passwd", at("outside.yaml"))
    symlinkSync("/dev/zero", at("device.yaml"))
    symlinkSync(".", at("itself"))
    symlinkSync("nowhere.yaml", at("dangling.yaml"))
    writeFileSync(at("soup.yaml"), Buffer.concat([Buffer.from("workflow:\n"), randomBytes(5_000)]))
    writeFileSync(at("nul.yaml"), "workflow:\n  name: nul\0\u0001\n")
    writeFileSync(at("huge.yaml"), flow("huge") + "#".repeat(10_000_000))
    writeFileSync(at("empty.yaml"), "")
    writeFileSync(
      at("bomb.yaml"),
      `workflow:\n  name: bomb\na: &a [x, x, x, x, x, x, x, x, x]\n${["b", "c", "d", "e", "f", "g", "h", "i", "j"].map((key, index) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${"abcdefghi"[index]}`).join(", ")}]`).join("\n")}\n`
    )
    const server = await serve()
    const tools = await workflowTools(server)
    // The one that is text, but no workflow, is listed with that as its description.
    expect(tools).toEqual(["add", "nap", "nul", "refuse"])
    expect(await server.call("add", { left: 1 })).toMatchObject({ output: { sum: 2 } })
    const summary = await server.until(() => /not served[^]*soup.*\n/.exec(server.stderr)?.[0])
    for (const [name, reason] of reasons) expect(summary).toMatch(new RegExp(`dir:flows/${name} .*${reason}`))
  })

  it("of three hundred workflows is searched, not listed, and each can be run", async ({ place, serve }) => {
    for (let number = 0; number < 300; number++)
      writeFileSync(join(place.folder, `flow ${number}.yaml`), flow(`flow ${number}`))
    const server = await serve()
    const tools = await toolNames(server)
    expect(tools).toContain("conductor_find_workflow")
    expect(tools).not.toContain("flow_7")
    const found = await server.call("conductor_find_workflow", { query: "flow 277" })
    expect(found).toMatchObject({
      total: 303,
      workflows: expect.arrayContaining([expect.objectContaining({ name: "flow_277" })])
    })
    expect(await server.call("conductor_run_workflow", { name: "flow_277" })).toMatchObject({
      status: "completed",
      output: { said: "here" }
    })
  })

  it("whose workflow changes, turns into a pipe or vanishes runs nothing in its name", async ({ place, serve }) => {
    const file = join(place.folder, "fickle.yaml")
    writeFileSync(file, flow("fickle"))
    const server = await serve()
    expect(await server.call("fickle")).toMatchObject({ status: "completed" })
    const ways: ReadonlyArray<readonly [change: () => void, reason: RegExp]> = [
      [() => writeFileSync(file, flow("fickle").replace("here", "else")), /has changed since it was pinned/],
      [() => execFileSync("mkfifo", [file]), /is not an ordinary file any more/],
      [() => mkdirSync(file), /is not an ordinary file any more/],
      [() => {}, /ENOENT/]
    ]
    for (const [change, reason] of ways) {
      rmSync(file, { recursive: true, force: true })
      change()
      expect(await server.call("fickle")).toMatchObject({
        error: { type: "LaunchError", message: expect.stringMatching(reason) },
        next: expect.stringContaining("No run was started.")
      })
    }
    expect(await server.call("conductor_list_runs")).toMatchObject({ total: 1 })
  })
})
