/** What every implementation of the `Catalogue` port promises, whether it comes from values, files or a snapshot. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Catalogue } from "../../src/catalogue/Catalogue.ts"
import * as CatalogueLive from "../../src/catalogue/CatalogueLive.ts"
import { readSnapshot, snapshotKey, writeSnapshot } from "../../src/catalogue/CatalogueSnapshot.ts"
import { stampOf } from "../../src/catalogue/FileStamp.ts"
import { pinOf } from "../../src/domain/Pin.ts"
import { contentsAt, defaultOptions, homeWith, layerAt, workflowText } from "../unit/catalogue/RegistryFolders.ts"

const files = {
  "ask.yaml": workflowText("Ask", ["input: {question: {type: string}}"]),
  "review.yaml": workflowText("Review PR"),
  "hidden.yaml": workflowText("Hidden", ["mcp: {expose: false}"])
}

type Make = (home: string) => Effect.Effect<Layer.Layer<Catalogue>>

const fromFiles: Make = (home) => Effect.succeed(CatalogueLive.layer(defaultOptions).pipe(Layer.provide(layerAt(home))))

const fromValues: Make = (home) => Effect.map(contentsAt(home), Catalogue.layerOf)

const fromSnapshot: Make = (home) =>
  Effect.map(contentsAt(home), (contents) => {
    const file = join(home, "snapshot.json")
    const key = snapshotKey([home])
    const fingerprint = contents.entries.map((entry) => stampOf(entry.file))
    writeSnapshot(file, { key, contents, fingerprint })
    const snapshot = readSnapshot(file, key)
    expect(snapshot).toBeDefined()
    return CatalogueLive.layerOf(snapshot?.contents ?? contents)
  })

const withCatalogue = <A>(make: Make, use: (catalogue: Catalogue["Type"], home: string) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const home = homeWith({ r: files })
    const layer = yield* make(home)
    return yield* Effect.flatMap(Catalogue, (catalogue) => use(catalogue, home)).pipe(Effect.provide(layer))
  })

const implementations: ReadonlyArray<readonly [string, Make]> = [
  ["values", fromValues],
  ["files", fromFiles],
  ["a snapshot", fromSnapshot]
]

describe.each(implementations)("a catalogue from %s", (_, make) => {
  it.effect("lists what is served by tool name", () =>
    withCatalogue(make, ({ contents }) =>
      Effect.sync(() => {
        expect(contents.entries.map(({ tool }) => tool)).toEqual(["ask", "review_pr"])
        expect(contents.excluded.map(({ key }) => key)).toEqual(["hidden"])
      })
    )
  )

  it.effect("finds a workflow by its tool name, and nothing else", () =>
    withCatalogue(make, ({ find }) =>
      Effect.sync(() => {
        expect(find("ask")).toMatchObject({ key: "ask", registry: "r", pin: pinOf(files["ask.yaml"]) })
        for (const other of ["hidden", "Ask", "r/ask", "", "constructor", "__proto__"])
          expect(find(other)).toBeUndefined()
      })
    )
  )

  it.effect("reports no drift while nothing changed", () =>
    withCatalogue(make, ({ drift }) => Effect.map(drift, (found) => expect(found).toEqual([])))
  )
})

describe.each(implementations.filter(([name]) => name !== "values"))("a catalogue over files, from %s", (_, make) => {
  const path = (home: string, name: string) => join(home, "registries", "r", name)

  it.effect("reports a file that was edited, and holds what it serves", () =>
    withCatalogue(make, ({ contents, drift, find }, home) =>
      Effect.gen(function* () {
        const before = JSON.stringify(contents)
        writeFileSync(path(home, "ask.yaml"), workflowText("Ask something else"))
        expect(yield* drift).toEqual([{ tool: "ask", reason: expect.stringMatching(/ask\.yaml has changed.*restart/) }])
        expect(JSON.stringify(contents)).toBe(before)
        expect(find("ask")?.pin).toBe(pinOf(files["ask.yaml"]))
      })
    )
  )

  it.effect("reports a file that is gone, and one that is no file any more, without waiting for it", () =>
    withCatalogue(make, ({ drift }, home) =>
      Effect.gen(function* () {
        rmSync(path(home, "ask.yaml"))
        rmSync(path(home, "review.yaml"))
        execFileSync("mkfifo", [path(home, "review.yaml")])
        expect(yield* drift).toEqual([
          { tool: "ask", reason: expect.stringContaining("is gone") },
          { tool: "review_pr", reason: expect.stringContaining("is no file any more") }
        ])
      })
    )
  )

  it.effect("reports nothing more once the file is as it was", () =>
    withCatalogue(make, ({ drift }, home) =>
      Effect.gen(function* () {
        writeFileSync(path(home, "ask.yaml"), "")
        expect(yield* drift).toHaveLength(1)
        writeFileSync(path(home, "ask.yaml"), files["ask.yaml"])
        expect(yield* drift).toEqual([])
      })
    )
  )
})
