/** The inspector of the protocol's authors, as a host that is stricter than any other. It needs a newer Node than we do. */
import { execFile, execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { program } from "../support/Program.ts"
import { makePlace, type Place } from "./mcp/ServerProcess.ts"

const tools = fileURLToPath(new URL("../../scripts/tools.mjs", import.meta.url))

/** Installs the tools when they are missing, which takes minutes, and says where they are. */
const findTools = `
  const { inspectorEntry, installTools, nodeBinary } = await import(${JSON.stringify(tools)})
  const { log } = console
  console.log = console.error
  installTools()
  log(JSON.stringify({ node: nodeBinary(22), inspector: inspectorEntry() }))
`

interface Answer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

describe.each(["legacy", "modern"])("mcp-inspector in the %s era", (era) => {
  let place: Place
  let found: { readonly node: string; readonly inspector: string }
  beforeAll(() => {
    const text = execFileSync(process.execPath, ["--input-type=module", "-e", findTools], { encoding: "utf8" })
    found = JSON.parse(text) as typeof found
    place = makePlace()
  }, 600_000)
  afterAll(() => place.remove())

  const inspect = async (args: ReadonlyArray<string>, flags: ReadonlyArray<string> = []): Promise<Answer> => {
    const environment = Object.entries(place.environment).flatMap(([name, value]) => ["-e", `${name}=${value}`])
    const server = [process.execPath, program, "mcp", "serve", "--workflow-dir", place.folder, ...flags]
    const all = ["--cli", "--protocol-era", era, "--format", "json", "-q", ...environment, ...args, ...server]
    const { stderr, stdout, ...rest } = await promisify(execFile)(found.node, [found.inspector, ...all], {
      env: place.environment,
      encoding: "utf8"
    }).catch((error: { stdout: string; stderr: string; code: number }) => error)
    return { stdout, stderr, exitCode: "code" in rest ? rest.code : 0 }
  }

  it.each([
    ["one tool a workflow", []],
    ["find and run", ["--max-direct-tools", "0"]]
  ])("finds nothing to say about the schemas of the tools, as strict as it can be: %s", async (_mode, flags) => {
    const { exitCode, stderr, stdout } = await inspect(["--strict", "--method", "tools/list"], flags)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(JSON.parse(stdout)).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "conductor_await_run" })]) }
    })
  })

  it("calls a tool and has its result, whose schema it checks", async () => {
    const call = ["--method", "tools/call", "--tool-name", "add", "--tool-args-json", `{"left":2,"right":40}`]
    const { exitCode, stderr, stdout } = await inspect(call)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(JSON.parse(stdout)).toMatchObject({
      result: { structuredContent: { status: "completed", output: { sum: 42 } } }
    })
  })

  it("has wrong arguments as an error of the tool", async () => {
    const { exitCode, stdout } = await inspect([
      "--method",
      "tools/call",
      "--tool-name",
      "add",
      "--tool-args-json",
      "{}"
    ])
    expect(exitCode).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({ result: { isError: true } })
  })
})
