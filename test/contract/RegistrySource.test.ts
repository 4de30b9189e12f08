/** What every source of registries promises, over folders with an index, folders without one, and memory. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as MemoryRegistrySource from "../../src/registries/MemoryRegistrySource.ts"
import * as PathRegistrySource from "../../src/registries/PathRegistrySource.ts"
import type { Registry } from "../../src/registries/Registry.ts"
import { RegistrySource } from "../../src/registries/RegistrySource.ts"

const texts = {
  review: "workflow:\n  name: review\n",
  build: "workflow:\n  name: build\n",
  // Nothing here is expanded or read further: a source hands out what is written.
  Über: "workflow:\n  name: ${HOME} !file x\n"
}

interface Backend {
  readonly name: string
  /** A registry `team` with the workflows of `texts`, a broken one `broken`, and the folder `extra` with them. */
  readonly make: (root: string) => {
    readonly layer: Layer.Layer<RegistrySource>
    readonly team: Registry
    readonly extra: string
  }
}

const writeTexts = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const [key, text] of Object.entries(texts)) writeFileSync(join(folder, `${key}.yaml`), text)
}

const backends: ReadonlyArray<Backend> = [
  {
    name: "a folder",
    make: (root) => {
      for (const name of ["flows", "extra"]) writeTexts(join(root, name))
      writeFileSync(join(root, "flows", "broken.yaml"), Buffer.from([0xff, 0xfe, 0x00]))
      const team: Registry = { name: "team", type: "path", source: join(root, "flows") }
      return { layer: PathRegistrySource.layer, team, extra: join(root, "extra") }
    }
  },
  {
    name: "a folder with an index",
    make: (root) => {
      writeTexts(join(root, "flows", "deep"))
      writeTexts(join(root, "extra"))
      const workflows = Object.keys(texts).map((key) => [key, { path: `deep/${key}.yaml` }])
      const index = { workflows: { ...Object.fromEntries(workflows), broken: { path: "missing.yaml" } } }
      writeFileSync(join(root, "flows", "index.json"), JSON.stringify(index))
      const team: Registry = { name: "team", type: "path", source: join(root, "flows") }
      return { layer: PathRegistrySource.layer, team, extra: join(root, "extra") }
    }
  },
  {
    name: "memory",
    make: () => {
      const workflows = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, { text }]))
      const layer = MemoryRegistrySource.layer({
        team: { workflows, problems: [{ key: "broken", reason: "it is missing" }] },
        "/somewhere/extra": { workflows }
      })
      return { layer, team: { name: "team", type: "path", source: "/team" }, extra: "/somewhere/extra" }
    }
  }
]

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-source-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe.each(backends)("$name as a source of registries", ({ make }) => {
  const withSource = <A, E>(
    program: (context: Omit<ReturnType<Backend["make"]>, "layer">) => Effect.Effect<A, E, RegistrySource>
  ) =>
    Effect.gen(function* () {
      const { layer, ...context } = make(yield* temporary)
      return yield* Effect.provide(program(context), layer)
    })

  it.scopedLive("lists each workflow once, in the order of the keys, below its root", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const { entries } = yield* (yield* RegistrySource).list(team)
        expect(entries.map(({ registry, key }) => [registry, key])).toEqual([
          ["team", "build"],
          ["team", "review"],
          ["team", "Über"]
        ])
        for (const { root, file } of entries) {
          expect(isAbsolute(file)).toBe(true)
          expect(file.startsWith(`${root}/`)).toBe(true)
        }
      })
    )
  )

  it.scopedLive("names what is broken without hiding the rest", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const { problems } = yield* (yield* RegistrySource).list(team)
        expect(problems).toMatchObject([{ key: "broken" }])
        expect(problems[0]?.reason).not.toBe("")
      })
    )
  )

  it.scopedLive("reads the text of an entry as it was written", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const source = yield* RegistrySource
        const { entries } = yield* source.list(team)
        const read = yield* Effect.forEach(entries, source.read)
        expect(read).toEqual([texts.build, texts.review, texts["Über"]])
      })
    )
  )

  it.scopedLive("resolves a key to the entry that is listed", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const source = yield* RegistrySource
        const { entries } = yield* source.list(team)
        expect(yield* source.resolve(team, "review")).toEqual(entries[1])
      })
    )
  )

  it.scopedLive("answers an unknown key with the nearest one, and a broken one with its reason", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const source = yield* RegistrySource
        const unknown = yield* Effect.flip(source.resolve(team, "reveiw"))
        expect(unknown).toMatchObject({ problem: "unknown", registry: "team" })
        expect(unknown.message).toContain("Did you mean 'review'?")
        expect(yield* Effect.flip(source.resolve(team, "../review"))).toMatchObject({ problem: "unknown" })
        const broken = yield* Effect.flip(source.resolve(team, "broken"))
        expect(broken).toMatchObject({ problem: "unavailable" })
      })
    )
  )

  it.scopedLive("lists a folder that is no registry under its own name", () =>
    withSource(({ extra }) =>
      Effect.gen(function* () {
        const source = yield* RegistrySource
        const { entries } = yield* source.directory(extra)
        expect(entries.map(({ registry, key }) => `${registry}/${key}`)).toEqual([
          "dir:extra/build",
          "dir:extra/review",
          "dir:extra/Über"
        ])
        expect(yield* Effect.forEach(entries.slice(0, 1), source.read)).toEqual([texts.build])
      })
    )
  )

  it.scopedLive("answers for a registry that is not there with an error, not with nothing", () =>
    withSource(({ team }) =>
      Effect.gen(function* () {
        const source = yield* RegistrySource
        const gone: Registry = { ...team, name: "gone", source: "/nowhere/at/all" }
        expect(yield* Effect.flip(source.list(gone))).toMatchObject({ registry: "gone", problem: "unavailable" })
        expect(yield* Effect.flip(source.directory("/nowhere/at/all"))).toMatchObject({ registry: "dir:all" })
      })
    )
  )
})
