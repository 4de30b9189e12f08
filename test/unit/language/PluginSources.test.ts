/** Where plugins are taken from: what a source may say, what a list of plugins may say, and who has to be asked. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { parsePluginSource } from "../../../src/language/plugins/PluginSource.ts"
import { PluginSources, type FetchedSource } from "../../../src/language/plugins/PluginSources.ts"
import { locatePlugin } from "../../../src/language/plugins/LocatePlugin.ts"
import { validateWithSubWorkflows } from "../../../src/language/validate/SubWorkflows.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const manifest = '{"name": "p"}'
const plugin = ".claude-plugin/plugin.json"
const list = ".claude-plugin/marketplace.json"

describe("a source", () => {
  it.each([
    ["./plugins", { _tag: "Folder", path: "./plugins" }],
    ["~/p", { _tag: "Folder", path: "~/p" }],
    ["/p", { _tag: "Folder", path: "/p" }],
    ["C:\\p", { _tag: "Folder", path: "C:\\p" }],
    ["acme/agent-plugins", { _tag: "Repository", owner: "acme", repository: "agent-plugins" }],
    ["acme/p#v1.4.0", { _tag: "Repository", owner: "acme", repository: "p", ref: "v1.4.0" }],
    [
      "https://git.example/acme/p.git#main",
      { _tag: "Address", address: "https://git.example/acme/p.git", ref: "main" }
    ],
    ["ssh://git@git.example:22/p", { _tag: "Address", address: "ssh://git@git.example:22/p" }],
    ["HTTPS://git.example/p", { _tag: "Address", address: "https://git.example/p" }],
    ["git@git.example:acme/p.git#3f2a1c9", { _tag: "Address", address: "git@git.example:acme/p.git", ref: "3f2a1c9" }]
  ])("is what its form says: %s", (text, expected) => {
    expect(Either.getOrThrow(parsePluginSource(text))).toMatchObject(expected)
  })

  it.each([
    ["plugins", "write owner/repository"],
    ["", "write owner/repository"],
    ["a/b/c", "write owner/repository"],
    ["a/..", "write owner/repository"],
    ["-x/y", "write owner/repository"],
    ["--upload-pack=x", "write owner/repository"],
    ["https://git.example/a b", "write owner/repository"],
    ["git@-oProxyCommand=x:y", "write owner/repository"],
    ["acme/p#", "name a branch, a tag or a commit"],
    ["http://git.example/p", "https://…"],
    ["git://git.example/p", "ssh://…"],
    ["file:///p", "a path like ./plugins"],
    ["ssh://-oProxyCommand=x/y", "ssh://…"]
  ])("that is none says what to write: %s", (text, remedy) => {
    expect(parsePluginSource(text)).toMatchObject({ left: expect.stringContaining(remedy) })
  })
})

const credentials = "me:hun@ter2"

it.each([
  `https://${credentials}@git.example/p#v1`,
  `HTTPS://${credentials}@git.example/p`,
  `http://${credentials}@git.example/p`,
  `ssh://${credentials}@git.example/p`,
  `https://${credentials}@git.example/p#`,
  `https://${credentials}@git.example/a b`
])("a source is never told with what opens it: %s", (text) => {
  const said = Either.match(parsePluginSource(text), {
    onLeft: (message) => message,
    onRight: (source) => (source._tag === "Folder" ? source.path : source.name)
  })
  expect(said).toContain("git.example")
  expect(said).not.toMatch(/hun|ter2/)
})

interface Looked {
  readonly entry: string
  readonly source: string
  readonly files: Readonly<Record<string, string>>
  readonly fetched?: (folder: string) => FetchedSource
}

/** The folder that an entry leads to, or why it leads nowhere; the source is called `m`. */
const looked = ({ entry, files, fetched = () => ({ _tag: "NotFetched" }), source }: Looked) =>
  Effect.gen(function* () {
    const folder = yield* workflowFolder(files)
    const sources = { m: { source } }
    const located = yield* locatePlugin(entry, sources, folder).pipe(
      Effect.provideService(PluginSources, { fetch: () => Effect.succeed(fetched(folder)) }),
      Effect.provide(languagePlatform({ HOME: join(folder, "home") }))
    )
    return Either.match(located, {
      onLeft: ({ message, suggestion = "" }) => `${message}; ${suggestion}`.replaceAll(folder, "<folder>"),
      onRight: (found) => found.folder.replaceAll(folder, "<folder>")
    })
  }).pipe(Effect.scoped)

const listing = (source: unknown, more = {}) => JSON.stringify({ plugins: [{ name: "p", source }], ...more })

describe("a plugin of a source", () => {
  it.effect.each([
    {
      what: "in the folder that the list names",
      text: listing("./deep/here"),
      at: "deep/here",
      is: "<folder>/m/deep/here"
    },
    {
      what: "below the root of the list",
      text: listing("here", { metadata: { pluginRoot: "./deep" } }),
      at: "deep/here",
      is: "<folder>/m/deep/here"
    },
    {
      what: "in the folder that the list names among entries that are none",
      text: JSON.stringify({ plugins: [{ name: "x" }, 1, { name: "p", source: "./p" }] }),
      at: "p",
      is: "<folder>/m/p"
    },
    { what: "beside a list that does not have it", text: JSON.stringify({ plugins: [] }), at: "p", is: "<folder>/m/p" }
  ])("is $what", ({ at, is, text }) =>
    Effect.gen(function* () {
      const files = { [`m/${list}`]: text, [`m/${at}/${plugin}`]: manifest }
      expect(yield* looked({ entry: "p@m", source: "./m", files })).toBe(is)
    })
  )

  it.effect.each([
    { what: "leads out", text: listing("../elsewhere"), why: "leads out of <folder>/m for the plugin p" },
    {
      what: "names another repository",
      text: listing({ source: "github", repo: "a/b" }),
      why: "as a source of its own"
    },
    { what: "is no list", text: "[]", why: "expected a JSON object with a list of plugins" },
    { what: "has others", text: JSON.stringify({ plugins: [{ name: "q", source: "./q" }] }), why: "it has q" },
    { what: "has a near one", text: JSON.stringify({ plugins: [{ name: "pp", source: "./q" }] }), why: "it has pp" }
  ])("is not there when the list $what", ({ text, why }) =>
    Effect.gen(function* () {
      expect(yield* looked({ entry: "p@m", source: "./m", files: { [`m/${list}`]: text } })).toContain(why)
    })
  )

  it.effect("is where the repository was fetched to, and says why when it was not", () =>
    Effect.gen(function* () {
      const files = { [`got/plugins/p/${plugin}`]: manifest }
      const asked = { entry: "p@m", source: "acme/p#v1", files }
      const found = (folder: string): FetchedSource => ({ _tag: "Found", folder: join(folder, "got") })
      expect(yield* looked({ ...asked, fetched: found })).toBe("<folder>/got/plugins/p")
      expect(yield* looked({ ...asked, fetched: () => ({ _tag: "Refused", message: "no such tag." }) })).toContain(
        "no such tag"
      )
      expect(yield* looked(asked)).toContain("p@m is not checked: acme/p#v1 is not fetched here")
    })
  )
})

it.effect("a source is one that the workflow declares, whatever it is called", () =>
  Effect.gen(function* () {
    for (const entry of ["p@constructor", "p@toString", "p@__proto__"]) {
      expect(yield* looked({ entry, source: "./m", files: {} })).toContain("is not installed")
    }
  })
)

describe("an installed plugin", () => {
  const files = {
    [`home/.claude/plugins/one/p/${plugin}`]: manifest,
    [`home/.claude/plugins/one/only/${plugin}`]: manifest,
    [`home/.copilot/installed-plugins/two/p/${plugin}`]: manifest
  }
  const found = (entry: string) => looked({ entry, source: "./m", files })

  it.effect("is the one of its marketplace, and of none in particular when only one has it", () =>
    Effect.gen(function* () {
      expect(yield* found("p@two")).toBe("<folder>/home/.copilot/installed-plugins/two/p")
      expect(yield* found("p@one")).toBe("<folder>/home/.claude/plugins/one/p")
      expect(yield* found("only")).toBe("<folder>/home/.claude/plugins/one/only")
    })
  )

  it.effect("of which there are two, or none, is said with what to write", () =>
    Effect.gen(function* () {
      expect(yield* found("p")).toMatch(/the plugin p is installed from two and one; write p@two, or another/)
      expect(yield* found("gone")).toMatch(/is not installed in .*; write a folder with a path/)
      expect(yield* found("only@two")).toMatch(/only from two is not installed.*; declare two under plugin_sources/)
    })
  )
})

describe("the sources of a workflow that calls another", () => {
  const calling =
    "workflow: {name: t, entry_point: s, runtime: {plugin_sources: {m: ./m}}}\nagents: [{name: s, type: workflow, workflow: below/c.yaml}]\n"
  const called = (runtime: string) =>
    `workflow: {name: c, entry_point: a, runtime: {${runtime}}}\nagents: [{name: a, prompt: hi}]\n`

  /** Problems of `w.yaml`. */
  const problems = (files: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({ "w.yaml": calling, ...files })
      const found = yield* Effect.flatMap(loadWorkflow(join(folder, "w.yaml")), validateWithSubWorkflows)
      return found.map(({ message }) => message.replaceAll(folder, "<folder>"))
    }).pipe(Effect.scoped, Effect.provide(languagePlatform()))

  it.effect("hold for that one, too, which may have another of the same name", () =>
    Effect.gen(function* () {
      const files = { [`m/p/${plugin}`]: manifest, [`below/own/q/${plugin}`]: manifest }
      expect(yield* problems({ ...files, "below/c.yaml": called("plugins: [p@m]") })).toEqual([])
      const own = "plugin_sources: {m: ./own}, plugins: [q@m]"
      expect(yield* problems({ ...files, "below/c.yaml": called(own) })).toEqual([])
      const gone = yield* problems({ "below/c.yaml": called("plugins: [p@m]") })
      expect(gone).toEqual([
        expect.stringMatching(/below\/c\.yaml:1:\d+: workflow\.runtime\.plugins\.0: there is no folder <folder>\/m$/)
      ])
      const [problem = ""] = yield* problems({ ...files, "below/c.yaml": called("plugins: [x@n]") })
      expect(problem).toContain("the plugin x from n is not installed")
    })
  )
})
