import { createHash } from "node:crypto"
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { interpolate } from "../../../src/language/Interpolation.ts"
import { LoadError } from "../../../src/language/LoadError.ts"
import { loadWorkflow, loadWorkflowText } from "../../../src/language/Loader.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

type Files = Readonly<Record<string, string | Uint8Array>>

/** Stores the files in an empty folder and gives their absolute paths by name. */
const stored = Effect.fnUntraced(function* (files: Files) {
  const fileSystem = yield* FileSystem
  const path = yield* Path
  const directory = yield* fileSystem.makeTempDirectoryScoped()
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name)
    yield* fileSystem.makeDirectory(path.dirname(file), { recursive: true })
    yield* fileSystem.writeFile(file, typeof content === "string" ? new TextEncoder().encode(content) : content)
  }
  return (name: string) => path.join(directory, name)
})

const loadFiles = Effect.fnUntraced(function* (files: Files, name = "w.yaml") {
  const fileOf = yield* stored(files)
  return yield* loadWorkflow(fileOf(name))
})

const withPrompt = (prompt: string) =>
  `workflow: {name: t, entry_point: a}\nagents:\n  - {name: a, prompt: ${prompt}}\n`

const platform = languagePlatform({ NAME: "Ada", EMPTY: "", SELF: "${SELF}", NESTED: "<${NAME}>" })

describe("included files", () => {
  it.scoped("text becomes the value, unchanged, and its file is remembered as the origin", () =>
    Effect.gen(function* () {
      const fileOf = yield* stored({ "w.yaml": withPrompt("!file p/a.md"), "p/a.md": "Hello, you.\n" })
      const loaded = yield* loadWorkflow(fileOf("w.yaml"))

      expect(loaded.document.agents[0]?.prompt).toBe("Hello, you.\n")
      expect(loaded.fileOrigins).toEqual(new Map([["agents.0.prompt", fileOf("p/a.md")]]))
      expect(loaded.includedFiles).toEqual([fileOf("p/a.md")])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("structure becomes structure, and its own includes are relative to it", () =>
    Effect.gen(function* () {
      const workflow = "workflow: {name: t, entry_point: a}\nagents: !file parts/agents.yaml\n"
      const agents = "- {name: a, prompt: !file deep/p.md}\n"
      const loaded = yield* loadFiles({ "w.yaml": workflow, "parts/agents.yaml": agents, "parts/deep/p.md": "Hi" })
      expect(loaded.document.agents).toMatchObject([{ name: "a", prompt: "Hi" }])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("a problem inside one names that file and the place in the whole document", () =>
    Effect.gen(function* () {
      const workflow = "workflow: {name: t, entry_point: a}\nagents: !file agents.yaml\n"
      const fileOf = yield* stored({ "w.yaml": workflow, "agents.yaml": "- name: a\n  promt: Hi\n" })
      const { message } = yield* Effect.flip(loadWorkflow(fileOf("w.yaml")))
      expect(message).toBe(`${fileOf("agents.yaml")}:2:3: agents.0.promt: unknown key "promt" (did you mean "prompt"?)`)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("a circle is refused with the chain that closes it", () =>
    Effect.gen(function* () {
      const fileOf = yield* stored({
        "w.yaml": "workflow: {name: t, entry_point: a}\nagents: !file a.yaml\n",
        "a.yaml": "- !file b.yaml\n",
        "b.yaml": "x: !file ./a.yaml\n"
      })
      const { message } = yield* Effect.flip(loadWorkflow(fileOf("w.yaml")))
      expect(message).toContain([fileOf("a.yaml"), fileOf("b.yaml"), fileOf("a.yaml")].join(" → "))
    }).pipe(Effect.provide(platform))
  )

  it.scoped("a missing one is named as written and as looked for, at its place", () =>
    Effect.gen(function* () {
      const fileOf = yield* stored({ "w.yaml": withPrompt("!file ../nope.md") })
      const { message, problems } = yield* Effect.flip(loadWorkflow(fileOf("w.yaml")))
      expect(problems).toMatchObject([{ path: "agents.0.prompt", line: 3 }])
      expect(message).toContain("'../nope.md'")
      expect(message).toContain(fileOf("../nope.md"))
    }).pipe(Effect.provide(platform))
  )

  it.scoped("one that is not UTF-8 is refused with the line", () =>
    Effect.gen(function* () {
      const bytes = new Uint8Array([72, 105, 10, 0xff, 10])
      const { message } = yield* Effect.flip(loadFiles({ "w.yaml": withPrompt("!file p.md"), "p.md": bytes }))
      expect(message).toMatch(/'p.md' is not UTF-8 text \(.*, line 2\)/)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("one that is a folder, or longer than anybody writes, is refused", () =>
    Effect.gen(function* () {
      const files = { "folder.yaml": withPrompt("!file p"), "p/x": "", "long.yaml": withPrompt("!file l.md") }
      const fileOf = yield* stored({ ...files, "l.md": "x".repeat(1024 * 1024 + 1) })
      const refusal = (name: string) => Effect.map(Effect.flip(loadWorkflow(fileOf(name))), ({ message }) => message)

      expect(yield* refusal("folder.yaml")).toContain("included file 'p' is not a file")
      expect(yield* refusal("long.yaml")).toContain("more than the 1048576 that are read")
    }).pipe(Effect.provide(platform))
  )

  it.scoped("files that multiply are refused", () =>
    Effect.gen(function* () {
      const levels = Array.from({ length: 5 }, (_, level) => [
        `l${level}.yaml`,
        `- !file l${level + 1}.yaml\n`.repeat(9)
      ])
      const workflow = "workflow: {name: t, entry_point: a}\nagents: !file l0.yaml\n"
      const files = Object.fromEntries([["w.yaml", workflow], ["l5.yaml", "- x\n"], ...levels])
      const { message } = yield* Effect.flip(loadFiles(files))
      expect(message).toContain("more than 500 files are included")
    }).pipe(Effect.provide(platform))
  )
})

describe("environment variables", () => {
  const variables = new Map([
    ["NAME", "Ada"],
    ["EMPTY", ""],
    ["SELF", "${SELF}"],
    ["NESTED", "<${NAME}>"],
    ["MANY", "${MANY}${MANY}${MANY}${MANY}${MANY}${MANY}${MANY}${MANY}"]
  ])

  it.each([
    ["Hi ${NAME}", "Hi Ada"],
    ["${EMPTY:-x}", ""],
    ["${NOPE:-}", ""],
    ["${NOPE:-x}", "x"],
    ["${NESTED}", "<Ada>"],
    ["${NOPE:-${NAME}}", "Ada"],
    ["${NOPE:-a}b}", "ab}"],
    ["$NAME ${NAME:+y} ${NAME:d} ${} $5", "$NAME ${NAME:+y} ${NAME:d} ${} $5"],
    ["$${NAME} \\${NAME}", "$Ada \\Ada"]
  ])("%s gives %s", (text, expected) => {
    expect(interpolate(text, variables)).toMatchObject({ _tag: "Right", right: expected })
  })

  it.each([
    ["${NOPE}", "Required environment variable 'NOPE' is not set"],
    ["${ NAME }", "Required environment variable ' NAME ' is not set"],
    ["${{ x }}", "Required environment variable '{ x ' is not set"],
    ["${SELF}", "Maximum recursion depth exceeded while replacing environment variables"],
    ["${MANY}", "Maximum recursion depth exceeded while replacing environment variables"]
  ])("%s is refused", (text, message) => {
    expect(interpolate(text, variables)).toMatchObject({ _tag: "Left", left: { message } })
  })

  it.effect("are replaced in values and included text, never in keys, and all missing ones are told at once", () =>
    Effect.gen(function* () {
      const text = "workflow: {name: '${NAME}', entry_point: a, metadata: {'${NAME}': 1}}\nagents: [{name: a}]"
      const { document } = yield* loadWorkflowText(text)
      const missing = yield* Effect.flip(loadWorkflowText(withPrompt("'${NOPE_1}', model: '${NOPE_2}'")))

      expect(document.workflow).toMatchObject({ name: "Ada", metadata: { "${NAME}": 1 } })
      expect(missing.problems.map(({ path }) => path)).toEqual(["agents.0.prompt", "agents.0.model"])
    }).pipe(Effect.provide(platform))
  )
})

describe("the workflow file", () => {
  it.scoped("gives its digest, its text and the position of every place", () =>
    Effect.gen(function* () {
      const loaded = yield* loadFiles({ "w.yaml": "\uFEFF" + withPrompt("Hi") })
      expect(loaded.digest).toBe(
        createHash("sha256")
          .update("\uFEFF" + withPrompt("Hi"))
          .digest("hex")
      )
      expect(loaded.source).toBe(withPrompt("Hi"))
      expect(loaded.positions(["agents", 0, "prompt"])).toMatchObject({ line: 3, column: 15 })
      expect(loaded.positions(["agents", 1])).toBeUndefined()
    }).pipe(Effect.provide(platform))
  )

  it.scoped("is refused when it is missing, a folder, empty, too long or not UTF-8", () =>
    Effect.gen(function* () {
      const fileOf = yield* stored({
        "folder/x": "",
        "long.yaml": "#".repeat(1024 * 1024 + 1),
        "empty.yaml": "# nothing\n",
        "bytes.yaml": new Uint8Array([97, 10, 0xc3])
      })
      const refusal = (name: string) => Effect.map(Effect.flip(loadWorkflow(fileOf(name))), ({ message }) => message)

      expect(yield* refusal("nope.yaml")).toContain("Workflow file not found")
      expect(yield* refusal("folder")).toContain("Path is not a file")
      expect(yield* refusal("empty.yaml")).toContain("Empty configuration file")
      expect(yield* refusal("long.yaml")).toContain("the file has 1048577 bytes, more than the 1048576 that are read")
      expect(yield* refusal("bytes.yaml")).toContain("bytes.yaml:2:1: the file is not UTF-8 text")
    }).pipe(Effect.provide(platform))
  )

  it.effect("of any content loads or is refused with positions", () =>
    Effect.gen(function* () {
      const fragments = [
        "workflow:",
        "agents:",
        " {name: a, ",
        "entry_point: a}",
        "\n",
        "  - ",
        "!file x",
        "${X}",
        "prompt: ",
        "2024-01-01",
        "1.0",
        "[",
        "]",
        "null",
        "'"
      ]
      const soups = fc.sample(fc.array(fc.constantFrom(...fragments), { maxLength: 20 }), 300)
      for (const soup of soups) {
        const outcome = yield* Effect.either(loadWorkflowText(soup.join("")))
        if (outcome._tag === "Right") continue
        expect(outcome.left).toBeInstanceOf(LoadError)
        expect(outcome.left.problems.every(({ line }) => (line ?? 0) > 0)).toBe(true)
      }
    }).pipe(Effect.provide(platform))
  )
})
