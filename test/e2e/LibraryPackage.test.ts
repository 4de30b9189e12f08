import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { dist } from "../support/Program.ts"
import { greeting } from "../support/runs/Workflows.ts"
import { makeTemporaryProject, root, type TemporaryProject } from "./TemporaryProject.ts"

const embedding = `
import { conductorLive, runWorkflow, RunMonitor } from "conductor-mcp"
import { Effect } from "effect"
const program = Effect.gen(function* () {
  const run = yield* runWorkflow("greeting.yaml", { inputs: { who: "library" }, timeout: "30 seconds" })
  const monitor = yield* RunMonitor
  const { total } = yield* monitor.list({ limit: 10, offset: 0 })
  return { status: run.status, output: run.output, pid: process.pid, total, provenance: run.provenance }
})
console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, conductorLive({ home: "home" })))))
`

describe("the published library", () => {
  let project: TemporaryProject
  beforeEach(() => {
    project = makeTemporaryProject(["effect", "@types/node"])
  })
  afterEach(() => project.remove())

  it("starts detached runs from a program that is not conductor", () => {
    project.write("greeting.yaml", greeting)
    const script = project.write("embedding.mjs", embedding)
    const { status, stderr, stdout } = spawnSync(process.execPath, [script], { cwd: project.folder, encoding: "utf8" })
    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      output: { text: "Hello library" },
      total: 1,
      provenance: { via: "library" }
    })
    expect(status).toBe(0)
  })

  it("ends its process by itself when the work is done", () => {
    const script = project.write(
      "idle.mjs",
      `import { conductorLive } from "conductor-mcp"
       import { Effect } from "effect"
       await Effect.runPromise(Effect.provide(Effect.void, conductorLive({ home: "home" })))`
    )
    const { status } = spawnSync(process.execPath, [script], { cwd: project.folder, timeout: 20_000 })
    expect(status).toBe(0)
  })

  it("has types that stand on their own", () => {
    project.write("uses.ts", 'import "conductor-mcp"\nimport "conductor-mcp/testing"\n')
    const options = ["--strict", "--noEmit", "--module", "NodeNext", "--target", "ES2022", "--types", "node"]
    const compiler = join(root, "node_modules/typescript7/bin/tsc")
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, "uses.ts"], {
      cwd: project.folder,
      encoding: "utf8"
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" })
  })

  it("has every file that package.json promises", () => {
    const { bin, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const promised: ReadonlyArray<string> = [
      ...Object.values<string>(bin),
      ...["import", "types"].flatMap((kind) => [exports["."][kind], exports["./testing"][kind]])
    ]
    const missing = promised.filter((path) => !existsSync(resolve(dist, path.replace(/^(\.\/)?dist\//, ""))))
    expect(missing).toEqual([])
  })

  it("is packed without sources, tests or tools", () => {
    const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8"
    })
    const [{ files }] = JSON.parse(stdout)
    const folders = new Set<string>(files.map(({ path }: { readonly path: string }) => path.split("/")[0]))
    expect([...folders].sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "examples",
      "package.json"
    ])
  })
})
