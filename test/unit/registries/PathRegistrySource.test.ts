import { describe, expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as PathRegistrySource from "../../../src/registries/PathRegistrySource.ts"
import type { Registry } from "../../../src/registries/Registry.ts"
import { RegistrySource } from "../../../src/registries/RegistrySource.ts"

const workflow = "workflow:\n  name: x\n"

/** A folder `registry` with these files, and a secret beside it. */
const registryWith = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "path-registry-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ).pipe(
    Effect.map((base) => {
      const root = join(base, "registry")
      mkdirSync(root)
      writeFileSync(join(base, "secret.yaml"), workflow)
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), text)
      }
      return root
    })
  )

const registryAt = (source: string): Registry => ({ name: "team", type: "path", source })
const list = (root: string) => Effect.flatMap(RegistrySource, (source) => source.list(registryAt(root)))
const keysOf = ({ entries }: { readonly entries: ReadonlyArray<{ readonly key: string }> }) =>
  entries.map(({ key }) => key)
const promise = <E>(name: string, program: Effect.Effect<void, E, RegistrySource | Scope.Scope>) =>
  it.scopedLive(name, () => Effect.provide(program, PathRegistrySource.layer))

describe("a folder without an index", () => {
  promise(
    "serves its workflow files and nothing else",
    Effect.gen(function* () {
      const root = yield* registryWith({
        "b.yaml": `# a comment\n---\n${workflow}`,
        "a.YML": `'workflow' : {name: a}\r\n`,
        "bom.yaml": `\ufeff${workflow}`,
        "flow.yaml": `# json\n{"workflow": {"name": "x"}}`,
        "malformed.yaml": "workflow:\n  name: [",
        "data.yaml": "other: 1\nnested:\n  workflow: 1\n",
        "prose.yaml": "text: |\n  workflow: no\n",
        "flow-data.yaml": `{"steps": {"workflow": 1}}`,
        "comments.yaml": "# ".repeat(100_000),
        "notes.md": workflow,
        "deep/c.yaml": workflow,
        "folder.yaml/x.yaml": workflow,
        ".yaml": workflow
      })
      const listing = yield* list(root)
      expect(keysOf(listing)).toEqual(["a", "b", "bom", "flow", "malformed"])
      expect(listing.problems).toEqual([])
    })
  )

  promise(
    "says which of two files with the same key is not served",
    Effect.gen(function* () {
      const root = yield* registryWith({ "a.yaml": workflow, "a.yml": workflow, "b.yaml": "x: 1", "b.yml": workflow })
      const listing = yield* list(root)
      expect(keysOf(listing)).toEqual(["a", "b"])
      expect(listing.problems).toEqual([
        { key: "a", reason: "a.yml would have the key of a.yaml, which is used; rename one of them" }
      ])
    })
  )

  promise(
    "refuses pipes without waiting for them, links that leave, huge files and broken links, one by one",
    Effect.gen(function* () {
      const root = yield* registryWith({ "ok.yaml": workflow, "huge.yaml": workflow + "#".repeat(1024 * 1024) })
      execFileSync("mkfifo", [join(root, "pipe.yaml")])
      symlinkSync("../secret.yaml", join(root, "out.yaml"))
      symlinkSync("/dev/zero", join(root, "device.yaml"))
      symlinkSync("ok.yaml", join(root, "inside.yaml"))
      symlinkSync("missing.yaml", join(root, "dangling.yaml"))
      symlinkSync("loop.yaml", join(root, "loop.yaml"))
      const listing = yield* list(root)
      expect(keysOf(listing)).toEqual(["inside", "ok"])
      const reasons = Object.fromEntries(listing.problems.map(({ key, reason }) => [key, reason]))
      expect(reasons).toEqual({
        dangling: expect.stringContaining("ENOENT"),
        device: expect.stringContaining("leads out"),
        huge: expect.stringContaining("the limit is 1048576"),
        loop: expect.stringContaining("ELOOP"),
        out: expect.stringContaining("leads out"),
        pipe: expect.stringContaining("not an ordinary file")
      })
    })
  )
})

describe("a folder with an index", () => {
  promise(
    "serves what the index names, with what it says, and index.yaml before index.json",
    Effect.gen(function* () {
      const root = yield* registryWith({
        "index.yaml":
          "workflows:\n" +
          "  review: { path: flows/r.yaml, description: Reviews, input: { n: { type: integer } }, mcp: { expose: false } }\n" +
          "  build: { path: 'flows\\b.yaml', versions: [1] }\n",
        "index.json": `{"workflows": {"other": {"path": "flows/r.yaml"}}}`,
        "flows/r.yaml": workflow,
        "flows/b.yaml": workflow,
        "unlisted.yaml": workflow
      })
      const { entries } = yield* list(root)
      expect(entries).toMatchObject([
        { key: "build", file: expect.stringMatching(/registry\/flows\/b\.yaml$/) },
        { key: "review", description: "Reviews", indexInput: { n: { type: "integer" } }, indexMcp: { expose: false } }
      ])
      expect(entries[0]).not.toHaveProperty("description")
      expect(entries[0]).not.toHaveProperty("indexMcp")
    })
  )

  promise(
    "turns each bad entry into a problem of its own",
    Effect.gen(function* () {
      const root = yield* registryWith({
        "index.json": JSON.stringify({
          workflows: {
            ok: { path: "ok.yaml" },
            up: { path: "../secret.yaml" },
            encoded: { path: "%2e%2e/secret.yaml" },
            absolute: { path: "/etc/hosts" },
            device: { path: "NUL" },
            out: { path: "out/secret.yaml" },
            gone: { path: "gone.yaml" },
            folder: { path: "sub" },
            pathless: { description: "x" },
            wrong: 7,
            " ": { path: "ok.yaml" }
          }
        }),
        "ok.yaml": workflow,
        "sub/x.yaml": workflow
      })
      symlinkSync("..", join(root, "out"))
      const listing = yield* list(root)
      expect(keysOf(listing)).toEqual(["ok"])
      const reasons = Object.fromEntries(listing.problems.map(({ key, reason }) => [key, reason]))
      expect(reasons).toEqual({
        " ": expect.stringContaining("key is blank"),
        absolute: expect.stringContaining("absolute"),
        device: expect.stringContaining("device"),
        encoded: expect.stringContaining("encoded"),
        folder: expect.stringContaining("not an ordinary file"),
        gone: expect.stringContaining("ENOENT"),
        out: expect.stringContaining("leads out"),
        pathless: expect.stringContaining("path: is missing"),
        up: expect.stringContaining("'..'"),
        wrong: expect.stringContaining("the index is wrong here")
      })
    })
  )

  it.each([
    ["index.yaml", "workflows:\n  a: [", /index\.yaml:2:\d+: not valid YAML/],
    ["index.yaml", "workflows:\n  a: {path: x}\n  a: {path: y}\n", /not valid YAML: .*unique/],
    ["index.yaml", "workflows: !custom {}\n", /not valid YAML: .*tag/i],
    ["index.yaml", "", /index\.yaml: /],
    [
      "index.yaml",
      "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nworkflows: {x: [*c,*c,*c]}\n",
      /not valid YAML: .*alias/i
    ],
    ["index.json", "{", /index\.json: not valid JSON/],
    ["index.json", "[]", /index\.json: /],
    ["index.json", "{}", /workflows: is missing/]
  ])("%s with %j is an error of the registry that says how to go on", (name, text, message) =>
    Effect.gen(function* () {
      const root = yield* registryWith({ [name]: text, "ok.yaml": workflow })
      const error = yield* Effect.flip(list(root))
      expect(error).toMatchObject({ problem: "unavailable", registry: "team" })
      expect(error.message).toMatch(message)
      expect(error.message).toContain(`Correct ${name}, or delete it`)
    }).pipe(Effect.provide(PathRegistrySource.layer), Effect.scoped, Effect.runPromise)
  )

  promise(
    "is not read for --workflow-dir, which serves the files themselves",
    Effect.gen(function* () {
      const root = yield* registryWith({ "index.yaml": "workflows: {}", "a.yaml": workflow })
      const listing = yield* Effect.flatMap(RegistrySource, (source) => source.directory(root))
      expect(listing.entries.map(({ registry, key }) => `${registry}/${key}`)).toEqual(["dir:registry/a"])
    })
  )
})

describe("reading an entry", () => {
  promise(
    "checks again: a file that has become a link out since the listing is refused",
    Effect.gen(function* () {
      const root = yield* registryWith({ "sub/a.yaml": workflow })
      writeFileSync(join(root, "index.yaml"), "workflows: { a: { path: sub/a.yaml } }")
      const source = yield* RegistrySource
      const entry = yield* source.resolve(registryAt(root), "a")
      expect(yield* source.read(entry)).toBe(workflow)

      renameSync(join(root, "sub"), join(root, "old"))
      mkdirSync(join(root, "..", "elsewhere"))
      writeFileSync(join(root, "..", "elsewhere", "a.yaml"), "stolen")
      symlinkSync("../elsewhere", join(root, "sub"))
      expect(yield* Effect.flip(source.read(entry))).toMatchObject({ problem: "unsafe" })

      rmSync(join(root, "sub"))
      expect(yield* Effect.flip(source.read(entry))).toMatchObject({ problem: "unavailable" })
    })
  )

  promise(
    "refuses an entry that somebody made up",
    Effect.gen(function* () {
      const root = yield* registryWith({})
      const source = yield* RegistrySource
      const forged = { registry: "team", key: "x", root, file: join(root, "..", "secret.yaml") }
      expect(yield* Effect.flip(source.read(forged))).toMatchObject({ problem: "unsafe" })
    })
  )
})

describe("a registry that is a repository", () => {
  promise(
    "is not supported yet, and says what to do instead",
    Effect.gen(function* () {
      const source = yield* RegistrySource
      const error = yield* Effect.flip(source.list({ name: "team", type: "github", source: "acme/flows" }))
      expect(error.problem).toBe("unsupported")
      expect(error.message).toContain("Clone acme/flows with git")
      expect(error.message).toContain("conductor registry add team")
    })
  )
})

describe("a registry whose folder is a file", () => {
  promise(
    "is unavailable",
    Effect.gen(function* () {
      const root = yield* registryWith({ "a.yaml": workflow })
      expect(yield* Effect.flip(list(join(root, "a.yaml")))).toMatchObject({ problem: "unavailable" })
    })
  )
})
