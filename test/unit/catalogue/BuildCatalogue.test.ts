import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildCatalogue } from "../../../src/catalogue/BuildCatalogue.ts"
import type { CatalogueContents } from "../../../src/catalogue/CatalogueEntry.ts"
import { readSnapshot, snapshotKey, writeSnapshot } from "../../../src/catalogue/CatalogueSnapshot.ts"
import { pinOf } from "../../../src/domain/Pin.ts"
import { Home } from "../../../src/platform/Home.ts"
import * as MemoryRegistrySource from "../../../src/registries/MemoryRegistrySource.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"
import { RegistrySource } from "../../../src/registries/RegistrySource.ts"
import {
  buildAt,
  contentsAt,
  defaultOptions,
  homeWith,
  temporaryFolder,
  workflowText,
  writeFiles
} from "./RegistryFolders.ts"

const toolsOf = ({ entries }: CatalogueContents) => entries.map(({ tool }) => tool)
const rungsOf = ({ excluded }: CatalogueContents) =>
  Object.fromEntries(excluded.map(({ key, registry, rung }) => [`${registry}/${key}`, rung]))

describe("what is served", () => {
  it.effect("is every workflow of every registry and folder, sorted by tool name, with pin, title and file", () =>
    Effect.gen(function* () {
      const home = homeWith({
        team: { "b.yaml": workflowText("Review-PR"), "notes.txt": "x" },
        official: { "a.yaml": workflowText("Ask", ["description: Asks."]) }
      })
      const extra = temporaryFolder()
      writeFiles(extra, { "z.yml": workflowText("Zip") })
      const contents = yield* contentsAt(home, { workflowDirectories: [extra] })
      expect(toolsOf(contents)).toEqual(["ask", "review_pr", "zip"])
      expect(contents.entries[0]).toMatchObject({
        registry: "official",
        key: "a",
        title: "Ask",
        description: "Asks. (async)",
        mode: "async",
        exposedBy: "on by default",
        pin: pinOf(workflowText("Ask", ["description: Asks."])),
        file: expect.stringMatching(/official[\\/]a\.yaml$/)
      })
      expect(contents.entries[2]?.registry).toMatch(/^dir:catalogue-/)
      expect(contents).toMatchObject({ warnings: [], collisions: [], mode: "direct" })
    })
  )

  it.effect("is nothing, without a complaint, when there is no registry", () =>
    Effect.gen(function* () {
      expect(yield* contentsAt(temporaryFolder())).toEqual({
        entries: [],
        excluded: [],
        collisions: [],
        warnings: [],
        mode: "direct"
      })
    })
  )

  it.effect("is found by discovery when there are more workflows than may be tools", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "a.yaml": workflowText("a"), "b.yaml": workflowText("b") } })
      expect((yield* contentsAt(home, { maxDirectTools: 2 })).mode).toBe("direct")
      expect((yield* contentsAt(home, { maxDirectTools: 1 })).mode).toBe("discovery")
    })
  )

  it.effect("takes mode and hints from the mcp block, and asserts no hint that nobody gave", () =>
    Effect.gen(function* () {
      const block = ["mcp:", "  mode: sync", "  read_only: true", "  destructive: false", "  estimated_minutes: 3"]
      const home = homeWith({ r: { "a.yaml": workflowText("a", block), "b.yaml": workflowText("b") } })
      const { entries } = yield* contentsAt(home)
      expect(entries[0]).toMatchObject({ mode: "sync", readOnly: true, destructive: false })
      expect(entries[0]?.description).toMatch(/\(sync; ~3 min\)$/)
      expect(entries[1]).not.toHaveProperty("readOnly")
      expect(entries[1]).not.toHaveProperty("destructive")
    })
  )

  it.effect("shows defaults as their author meant them", () =>
    Effect.gen(function* () {
      const inputs = [
        "day: {type: string, default: 2026-01-01}",
        "flag: {type: string, default: no}",
        "n: {type: number, default: 1e3}"
      ]
      const home = homeWith({ r: { "a.yaml": workflowText("a", ["input:", ...inputs.map((line) => `  ${line}`)]) } })
      const { entries } = yield* contentsAt(home)
      expect(entries[0]?.inputSchema).toMatchObject({
        properties: { day: { default: "2026-01-01" }, flag: { default: "no" }, n: { default: 1000 } }
      })
    })
  )

  it.effect("of a file with a byte order mark is pinned by its bytes", () =>
    Effect.gen(function* () {
      const text = `\uFEFF${workflowText("bom")}`
      const home = homeWith({ r: { "index.json": '{"workflows":{"bom":{"path":"bom.yaml"}}}', "bom.yaml": text } })
      const { entries } = yield* contentsAt(home)
      expect(entries.map(({ pin, tool }) => [tool, pin])).toEqual([["bom", pinOf(text)]])
    })
  )
})

describe("names in real registries", () => {
  it.effect("the same workflow in two registries is qualified in both, and reported", () =>
    Effect.gen(function* () {
      const files = { "review.yaml": workflowText("Review") }
      const contents = yield* contentsAt(homeWith({ official: files, team: files }))
      expect(toolsOf(contents)).toEqual(["official_review", "team_review"])
      expect(contents.collisions).toEqual([
        {
          name: "review",
          tools: [
            { tool: "official_review", registry: "official", key: "review" },
            { tool: "team_review", registry: "team", key: "review" }
          ]
        }
      ])
    })
  )

  it.effect("exposure renames nothing: a denied twin still qualifies the other", () =>
    Effect.gen(function* () {
      const files = { "review.yaml": workflowText("Review") }
      const home = homeWith({ official: files, team: files })
      expect(toolsOf(yield* contentsAt(home, { deny: ["team/*"] }))).toEqual(["official_review"])
      expect(toolsOf(yield* contentsAt(home, { allow: ["official_review"] }))).toEqual(["official_review"])
    })
  )

  it.effect("a workflow with the name of a built-in tool is qualified, and the server is not stopped", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "x.yaml": workflowText("conductor-run-status"), "y.yaml": workflowText("other") } })
      const contents = yield* contentsAt(home)
      expect(toolsOf(contents)).toEqual(["other", "r_conductor_run_status"])
      expect(contents.collisions.map(({ name }) => name)).toEqual(["conductor_run_status"])
    })
  )

  it.effect("two folders of one name with the same file give two tools", () =>
    Effect.gen(function* () {
      const root = temporaryFolder()
      writeFiles(root, { "one/flows/a.yaml": workflowText("a"), "two/flows/a.yaml": workflowText("a") })
      const directories = [join(root, "one", "flows"), join(root, "two", "flows"), join(root, "one", "flows")]
      const { entries } = yield* contentsAt(temporaryFolder(), { workflowDirectories: directories })
      expect(new Set(entries.map(({ tool }) => tool)).size).toBe(2)
      expect(entries.map(({ registry }) => registry)).toEqual(["dir:flows", "dir:flows"])
    })
  )
})

describe("exposure of real workflows", () => {
  it.effect("what is excluded is listed with its rung", () =>
    Effect.gen(function* () {
      const home = homeWith({
        r: {
          "denied.yaml": workflowText("denied"),
          "hidden.yaml": workflowText("hidden", ["mcp:", "  expose: false"]),
          "open.yaml": workflowText("open"),
          "unclear.yaml": workflowText("unclear", ["mcp:", "  exposed: false"]),
          "waits.yaml": workflowText("waits", ["input:", "  _wait_seconds:", "    type: number"])
        },
        other: { "a.yaml": workflowText("a") }
      })
      const contents = yield* contentsAt(home, { registries: ["r"], deny: ["den*"] })
      expect(toolsOf(contents)).toEqual(["open"])
      expect(rungsOf(contents)).toEqual({
        "other/*": "registry",
        "r/denied": "deny",
        "r/hidden": "expose",
        "r/unclear": "unknown-exposure",
        "r/waits": "rejected"
      })
    })
  )

  it.effect("the index cannot open what the file closes, nor the file what the index closes", () =>
    Effect.gen(function* () {
      const index = [
        "workflows:",
        "  a: {path: a.yaml, mcp: {expose: true}}",
        "  b: {path: b.yaml, mcp: {expose: false}}"
      ]
      const home = homeWith({
        r: {
          "index.yaml": index.join("\n"),
          "a.yaml": workflowText("a", ["mcp: {expose: false}"]),
          "b.yaml": workflowText("b", ["mcp: {expose: true}"])
        }
      })
      expect(rungsOf(yield* contentsAt(home))).toEqual({ "r/a": "expose", "r/b": "expose" })
    })
  )
})

describe("a workflow that cannot be read fully", () => {
  const broken = "workflow:\n  name: broken\n  description: 'never closed\n"

  it.effect("is closed, since its exposure is unknown, unless --allow names it", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "broken.yaml": broken, "fine.yaml": workflowText("fine") } })
      const closed = yield* contentsAt(home)
      expect(toolsOf(closed)).toEqual(["fine"])
      expect(rungsOf(closed)).toEqual({ "r/broken": "unknown-exposure" })
      const opened = yield* contentsAt(home, { allow: ["r/*"] })
      expect(opened.entries[0]).toMatchObject({
        tool: "broken",
        degraded: expect.stringMatching(/line|YAML|quote/i),
        inputSchema: { additionalProperties: true },
        outputSchema: {}
      })
      expect(opened.entries[0]?.description).toContain("parameters are not known")
    })
  )

  it.effect("is listed with a permissive schema when only its inputs are unreadable", () =>
    Effect.gen(function* () {
      const home = homeWith({
        r: { "a.yaml": workflowText("a", ["description: Does a.", "input: !file inputs.yaml"]) }
      })
      const { entries } = yield* contentsAt(home)
      expect(entries[0]).toMatchObject({
        inputSchema: { additionalProperties: true },
        degraded: expect.stringContaining("inputs.yaml")
      })
      expect(entries[0]?.description).toMatch(/^Does a\. \(async\) Its parameters are not known/)
    })
  )

  it.effect("takes exposure and inputs from the index of its registry", () =>
    Effect.gen(function* () {
      const index =
        "workflows:\n  a: {path: a.yaml, description: From the index., mcp: {mode: sync}, input: {n: {type: number}}}"
      const home = homeWith({ r: { "index.yaml": index, "a.yaml": broken } })
      const { entries } = yield* contentsAt(home)
      expect(entries[0]).toMatchObject({
        tool: "a",
        mode: "sync",
        inputSchema: { required: ["n"], additionalProperties: false }
      })
      expect(entries[0]?.description).toBe("From the index. (sync)")
    })
  )

  it.effect("with inputs that would fill the list of tools is listed with a permissive schema", () =>
    Effect.gen(function* () {
      const inputs = Array.from(
        { length: 2000 },
        (_, index) => `  input_${index}: {type: string, description: a long text}`
      )
      const home = homeWith({ r: { "a.yaml": workflowText("a", ["input:", ...inputs]) } })
      expect((yield* contentsAt(home)).entries[0]?.degraded).toContain("limit")
    })
  )

  it.effect("never publishes what the environment holds", () =>
    Effect.gen(function* () {
      process.env["CATALOGUE_TEST_SECRET"] = "hunter2"
      const more = [
        "description: '${CATALOGUE_TEST_SECRET}'",
        "input:",
        "  a: {type: string, default: '${CATALOGUE_TEST_SECRET}'}"
      ]
      const contents = yield* contentsAt(homeWith({ r: { "a.yaml": workflowText("${CATALOGUE_TEST_SECRET}", more) } }))
      expect(JSON.stringify(contents)).not.toContain("hunter2")
      expect(contents.entries[0]?.description).toContain("${CATALOGUE_TEST_SECRET}")
    })
  )
})

describe("what cannot be read", () => {
  it.effect("a registry that fails becomes a warning with a remedy, and hides no other", () =>
    Effect.gen(function* () {
      const home = homeWith({ gone: {}, fine: { "a.yaml": workflowText("a") } })
      rmSync(join(home, "registries", "gone"), { recursive: true })
      const contents = yield* contentsAt(home, { workflowDirectories: [join(home, "nowhere")] })
      expect(toolsOf(contents)).toEqual(["a"])
      expect(contents.warnings).toEqual([expect.stringContaining("gone"), expect.stringContaining("nowhere")])
    })
  )

  it.effect("a broken registries.toml becomes a warning, and folders are served all the same", () =>
    Effect.gen(function* () {
      const home = homeWith({})
      writeFiles(home, { "registries.toml": "[registries", "flows/a.yaml": workflowText("a") })
      const contents = yield* contentsAt(home, { workflowDirectories: [join(home, "flows")] })
      expect(toolsOf(contents)).toEqual(["a"])
      expect(contents.warnings).toEqual([expect.stringContaining("registries.toml")])
    })
  )

  it.effect("--registry without a match is told with the nearest name", () =>
    Effect.gen(function* () {
      const contents = yield* contentsAt(homeWith({ official: {} }), { registries: ["offical"] })
      expect(contents.warnings).toEqual(["--registry 'offical' matches no registry. Did you mean 'official'?"])
    })
  )

  it.effect("a file that a registry refuses is excluded with the reason", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "fine.yaml": workflowText("fine") } })
      writeFiles(home, { "secret.yaml": workflowText("secret") })
      symlinkSync(join(home, "secret.yaml"), join(home, "registries", "r", "leak.yaml"))
      const contents = yield* contentsAt(home)
      expect(toolsOf(contents)).toEqual(["fine"])
      expect(contents.excluded).toEqual([
        { registry: "r", key: "leak", rung: "rejected", reason: expect.stringContaining("link") }
      ])
    })
  )

  const memory = (read: (key: string) => Effect.Effect<string>, list: Effect.Effect<void> = Effect.void) => {
    const workflows = Object.fromEntries(["a", "b"].map((key) => [key, { text: workflowText(key) }]))
    const source = MemoryRegistrySource.layer({ "/flows": { workflows } })
    const slow = Layer.effect(
      RegistrySource,
      Effect.map(RegistrySource, (inner) => ({
        ...inner,
        directory: (path: string) => Effect.zipRight(list, inner.directory(path)),
        read: (entry: Parameters<typeof inner.read>[0]) => read(entry.key)
      }))
    ).pipe(Layer.provide(source))
    return Layer.mergeAll(RegistriesConfig.layer, slow).pipe(Layer.provideMerge(Home.layerAt(temporaryFolder())))
  }

  it.live("a file that does not answer in time is excluded, and the others are served", () =>
    Effect.gen(function* () {
      const read = (key: string) =>
        key === "a"
          ? Effect.uninterruptible(Effect.sleep("20 seconds")).pipe(Effect.as(""))
          : Effect.succeed(workflowText(key))
      const options = { ...defaultOptions, workflowDirectories: ["/flows"] }
      const built = yield* buildCatalogue(options, "100 millis").pipe(Effect.provide(memory(read)))
      expect(rungsOf(built.contents)).toMatchObject({ "dir:flows/a": "rejected" })
      expect(built.freshness).toBe("unsettled")
    })
  )

  it.live("a workflow that there was no time to understand is pinned, and closed unless --allow names it", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = Object.assign(Clock.make(), { currentTimeMillis: Effect.sync(() => now) })
      const read = (key: string) =>
        Effect.sync(() => {
          now = 60_000
          return workflowText(key)
        })
      const build = (allow: ReadonlyArray<string>) =>
        Effect.suspend(() => {
          now = 0
          const options = { ...defaultOptions, workflowDirectories: ["/flows"], allow }
          return buildCatalogue(options, "30 seconds").pipe(Effect.provide(memory(read)), Effect.withClock(clock))
        })
      const closed = yield* build([])
      expect(rungsOf(closed.contents)).toEqual({ "dir:flows/a": "unknown-exposure", "dir:flows/b": "unknown-exposure" })
      expect(closed.freshness).toBe("unsettled")
      const { contents } = yield* build(["a"])
      expect(contents.entries).toMatchObject([
        {
          tool: "a",
          pin: pinOf(workflowText("a")),
          degraded: "it was not read within 30s",
          exposedBy: expect.stringContaining("--allow")
        }
      ])
    })
  )

  it.live("a registry that does not answer in time becomes a warning", () =>
    Effect.gen(function* () {
      const never = Effect.uninterruptible(Effect.sleep("20 seconds"))
      const options = { ...defaultOptions, workflowDirectories: ["/flows"] }
      const built = yield* buildCatalogue(options, "50 millis").pipe(
        Effect.provide(memory(() => Effect.succeed(""), never))
      )
      expect(built.contents.warnings).toEqual([expect.stringContaining("not listed within 50ms")])
      expect(built.freshness).toBe("unsettled")
    })
  )
})

const KEY = snapshotKey(["test"])

describe("a snapshot of a build", () => {
  const settledBuild = (home: string, options = {}) =>
    Effect.repeat(buildAt(home, options), { until: ({ freshness }) => freshness === "settled", times: 200 })

  const snapshotAt = (home: string) =>
    Effect.map(settledBuild(home), ({ contents, fingerprint, freshness }) => {
      expect(freshness).toBe("settled")
      const file = join(home, "cache", "one.json")
      writeSnapshot(file, { key: KEY, contents, fingerprint })
      expect(readSnapshot(file, KEY)?.contents).toEqual(contents)
      return file
    })

  it.live("of a file that changed just now is not kept, since the next edit could hide behind it", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "a.yaml": workflowText("a") } })
      // However slow this machine is, a time that is still to come is less than a tick ago.
      const soon = (yield* Clock.currentTimeMillis) / 1000 + 3_600
      utimesSync(join(home, "registries", "r", "a.yaml"), soon, soon)
      expect((yield* buildAt(home)).freshness).toBe("unsettled")
    })
  )

  const folder = (home: string, name = "") => join(home, "registries", "r", name)
  const changes: ReadonlyArray<readonly [string, (home: string) => void]> = [
    ["a workflow is edited", (home) => writeFileSync(folder(home, "a.yaml"), workflowText("b"))],
    [
      "a workflow is edited and its time set back",
      (home) => {
        writeFileSync(folder(home, "a.yaml"), workflowText("b"))
        utimesSync(folder(home, "a.yaml"), new Date(0), new Date(0))
      }
    ],
    ["a workflow is added", (home) => writeFileSync(folder(home, "c.yaml"), workflowText("c"))],
    ["a workflow is removed", (home) => rmSync(folder(home, "a.yaml"))],
    ["a workflow is renamed", (home) => renameSync(folder(home, "a.yaml"), folder(home, "c.yaml"))],
    ["a file that was no workflow becomes one", (home) => writeFileSync(folder(home, "draft.yaml"), workflowText("d"))],
    ["an index appears", (home) => writeFileSync(folder(home, "index.yaml"), "workflows: {}")],
    ["the registry's folder goes away", (home) => renameSync(folder(home), folder(home, "../gone"))],
    [
      "a registry is added",
      (home) => writeFileSync(join(home, "registries.toml"), readFileSync(join(home, "registries.toml"), "utf8") + "\n")
    ],
    ["registries.toml is removed", (home) => rmSync(join(home, "registries.toml"))]
  ]

  it.live.each(changes)("is not used once %s", ([, change]) =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "a.yaml": workflowText("a"), "draft.yaml": "notes: 1\n" } })
      const file = yield* snapshotAt(home)
      change(home)
      expect(readSnapshot(file, KEY)).toBeUndefined()
    })
  )

  it.live("is not used once a file below an index is edited", () =>
    Effect.gen(function* () {
      const home = homeWith({
        r: { "index.yaml": "workflows:\n  a: {path: deep/a.yaml}", "deep/a.yaml": workflowText("a") }
      })
      const file = yield* snapshotAt(home)
      writeFileSync(folder(home, "deep/a.yaml"), workflowText("b"))
      expect(readSnapshot(file, KEY)).toBeUndefined()
    })
  )

  it.live("of an index with a broken entry is not kept, since its repair would go unnoticed", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "index.yaml": "workflows:\n  a: {path: deep/a.yaml}" } })
      // What was written later is settled, so only the broken entry is left as a reason.
      yield* settledBuild(homeWith({ r: { "a.yaml": workflowText("a") } }))
      const { contents, freshness } = yield* buildAt(home)
      expect(rungsOf(contents)).toEqual({ "r/a": "rejected" })
      expect(freshness).toBe("unsettled")
    })
  )

  it.live.skipIf(process.getuid?.() === 0)("of an unreadable file is not used once it can be read", () =>
    Effect.gen(function* () {
      const home = homeWith({ r: { "a.yaml": workflowText("a") } })
      chmodSync(folder(home, "a.yaml"), 0)
      const file = yield* snapshotAt(home)
      chmodSync(folder(home, "a.yaml"), 0o600)
      expect(readSnapshot(file, KEY)).toBeUndefined()
    })
  )
})
