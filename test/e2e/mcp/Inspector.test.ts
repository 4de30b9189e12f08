/** The inspector of the protocol's own project: lints the tool schemas for portability, and checks results against them. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place, program } from "./ServerProcess.ts"

const tool = (path: string): string => fileURLToPath(new URL(`../../../tools/node_modules/${path}`, import.meta.url))
/** It needs a newer Node than the server does. */
const node = tool("node24/bin/node")
const inspector = tool("@modelcontextprotocol/inspector/clients/launcher/build/index.js")

// `npm run test:nodes` installs the tools of the tests; without them there is nothing to run here.
describe.skipIf(!existsSync(inspector) || !existsSync(node))("the inspector", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
  })
  afterAll(() => place.remove())

  const inspect = (args: ReadonlyArray<string>, flags: ReadonlyArray<string> = []) => {
    const client = [inspector, "--cli", "-q", "--format", "json", ...args, "-e", `CONDUCTOR_HOME=${place.home}`]
    const server = [process.execPath, program, "mcp", "serve", "--workflow-dir", place.folder, ...flags]
    return spawnSync(node, [...client, ...server], { encoding: "utf8" })
  }

  for (const era of ["legacy", "modern"]) {
    for (const [mode, flags] of [
      ["one tool a workflow", []],
      ["find and run", ["--max-direct-tools", "0"]]
    ] as const) {
      it(`${era} protocol, ${mode}: finds no fault in any tool`, () => {
        const { status, stdout, stderr } = inspect(["--strict", "--protocol-era", era, "--method", "tools/list"], flags)
        expect(status, stderr).toBe(0)
        expect(stdout).toContain("conductor_await_run")
      })
    }

    it(`${era} protocol: runs a workflow`, () => {
      const call = ["--method", "tools/call", "--tool-name", "add", "--tool-args-json", '{"left": 2}']
      const { status, stdout, stderr } = inspect(["--protocol-era", era, ...call])
      expect(status, stderr).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        result: { structuredContent: { status: "completed", output: { sum: 3 } } }
      })
    })
  }
})
