/** Which code a start may load. A steadier gate than a time limit: what is not loaded costs nothing. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dist } from "../../support/Program.ts"

interface Chunk {
  readonly imports: ReadonlyArray<string>
  readonly modules: ReadonlyArray<string>
}

const chunks = JSON.parse(readFileSync(join(dist, "chunks.json"), "utf8")) as Readonly<Record<string, Chunk>>

const chunkOf = (module: string): string => {
  const found = Object.entries(chunks).find(([, { modules }]) => modules.includes(module))
  if (found === undefined) throw new Error(`no chunk holds ${module}`)
  return found[0]
}

/** Everything that is loaded with a chunk. */
const closure = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const imported of chunks[name]?.imports ?? []) closure(imported, seen)
  return seen
}

const modulesLoadedBy = (module: string): ReadonlyArray<string> =>
  [...closure(chunkOf(module))].flatMap((name) => [...(chunks[name]?.modules ?? []), name])

const packages = (modules: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(modules.flatMap((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? []))
]

describe("what a start loads", () => {
  it("serving from a snapshot needs the protocol SDK and nothing else from outside", () => {
    expect([...packages(modulesLoadedBy("src/mcp/Boot.ts"))].sort()).toEqual([
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "zod"
    ])
  })

  it("a first call loads no language, no engine, no command line and no database", () => {
    const loaded = modulesLoadedBy("src/mcp/LiveSession.ts")
    expect(
      loaded.filter((module) => /src\/(language\/(yaml|template|document)|engine\/(?!EventSink)|cli\/)/.test(module))
    ).toEqual([])
    expect(packages(loaded)).not.toContain("@effect/cli")
    expect(packages(loaded)).not.toContain("yaml")
    expect(loaded).not.toContain("better-sqlite3")
  })
})
