import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundledProgram } from "../../support/BundledProgram.ts"
import { Home } from "../../../src/platform/Home.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"
import { parseRegistries, printRegistries } from "../../../src/registries/RegistriesToml.ts"
import { registriesOf } from "../../../src/registries/Registry.ts"
import { absoluteSource, inferKind } from "../../../src/registries/RegistrySourceText.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "registries-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A home that does not exist yet, and beside it the folders `flows` and `more`. */
const place = Effect.map(temporary, (root) => {
  for (const name of ["flows", "more", "a/b"]) mkdirSync(join(root, name), { recursive: true })
  const home = join(root, "home")
  return { root, home, file: join(home, "registries.toml") }
})

const using = <A, E>(home: string, program: Effect.Effect<A, E, RegistriesConfig>): Effect.Effect<A, E> =>
  Effect.provide(program, RegistriesConfig.layer.pipe(Layer.provide(Home.layerAt(home))))

const add = (name: string, source: string, workingDirectory: string) =>
  Effect.flatMap(RegistriesConfig, (config) => config.add({ name, source, workingDirectory }))
const load = Effect.flatMap(RegistriesConfig, (config) => config.load)

const messageOf = (text: string): string =>
  Either.match(parseRegistries(text, "r.toml"), { onLeft: (error) => error.message, onRight: () => "no error" })

describe("the text of registries.toml", () => {
  it("is the reference's, with every key quoted", () => {
    const text = printRegistries({
      default: "team.a",
      registries: {
        "team.a": { type: "path", source: '/flows/"x"\u007f' },
        official: { type: "github", source: "acme/flows" }
      }
    })
    expect(text).toBe(
      `default = "team.a"\n\n[registries."team.a"]\ntype = "path"\nsource = "/flows/\\"x\\"\\u007f"\n\n` +
        `[registries."official"]\ntype = "github"\nsource = "acme/flows"\n`
    )
  })

  it("reads back as what was written", () => {
    const names = fc.stringMatching(/^[A-Za-z0-9-][A-Za-z0-9._-]{0,8}$/)
    const sources = fc.string({ unit: "binary", minLength: 1 }).map((text) => text.toWellFormed())
    const tables = fc.dictionary(
      names,
      fc.record({ type: fc.constantFrom("path" as const, "github" as const), source: sources })
    )
    fc.assert(
      fc.property(tables, fc.nat(), (registries, pick) => {
        const keys = Object.keys(registries)
        const name = keys[pick % Math.max(1, keys.length)]
        const file = name === undefined ? { registries } : { default: name, registries }
        const read = parseRegistries(printRegistries(file), "r.toml")
        expect(Either.getOrThrow(read)).toEqual({ ...file, registries: { ...registries } })
      })
    )
  })

  it("may be empty, hand-written, commented, and have keys that nobody knows", () => {
    expect(Either.getOrThrow(parseRegistries("", "r"))).toEqual({ registries: {} })
    const text = "\ufeff# mine\r\nextra = 1\r\n[registries]\r\nx = { type = 'path', source = './x', note = 'n' }\r\n"
    expect(registriesOf(Either.getOrThrow(parseRegistries(text, "r")))).toEqual([
      { name: "x", type: "path", source: "./x" }
    ])
  })

  it.each([
    ["malformed", "default = \n[registries", /^r\.toml:1:\d+: not valid TOML: .*\. Correct it by hand/],
    ["a key twice", `[registries.a]\ntype = "path"\nsource = "x"\ntype = "path"`, /^r\.toml:4:\d+: not valid TOML/],
    [
      "an unknown type",
      `[registries.a]\ntype = "gitlab"\nsource = "x"`,
      /registries\.a\.type: "gitlab" is no type of registry; use "path" or "github"/
    ],
    ["a missing source", `[registries.a]\ntype = "path"`, /registries\.a\.source: is missing/],
    ["a registry that is no table", `registries.a = 1`, /registries\.a: /],
    ["a bad name", `[registries."a b"]\ntype = "path"\nsource = "x"`, /a registry name has letters/],
    ["a reserved name", `[registries._meta]\ntype = "path"\nsource = "x"`, /'_meta' is reserved/],
    [
      "an unknown default",
      `default = "tema"\n[registries.team]\ntype = "path"\nsource = "x"`,
      /no registry 'tema'.*Did you mean 'team'\?/
    ]
  ])("with %s is an error with place, reason and remedy", (_, text, message) => {
    expect(messageOf(text)).toMatch(message)
  })
})

describe("the source of a registry", () => {
  it.each([
    ["acme/flows", "github"],
    ["./flows", "path"],
    ["../x", "path"],
    ["~/flows", "path"],
    ["/flows", "path"],
    [".", "path"],
    ["a/b/c", "path"],
    ["flows", "path"],
    ["C:\\flows", "path"]
  ] as const)("%s is a %s source when no folder has that name", (source, kind) => {
    expect(inferKind(source, "no folder")).toBe(kind)
  })

  it("owner/repository is a folder when there is one", () => {
    expect(inferKind("a/b", "folder")).toBe("path")
  })

  it("is made absolute from the working directory and the user's home", () => {
    expect(absoluteSource("./x", "/base", "/home/me")).toBe("/base/x")
    expect(absoluteSource("~/x", "/base", "/home/me")).toBe("/home/me/x")
    expect(absoluteSource("~", "/base", homedir())).toBe(homedir())
    expect(absoluteSource("~x", "/base", "/home/me")).toBe("/base/~x")
  })
})

describe("the registries of a user", () => {
  it.scopedLive("are none while there is no file, and asking makes none", () =>
    Effect.gen(function* () {
      const { root, home } = yield* place
      expect(yield* using(home, load)).toEqual({ registries: {} })
      expect(readdirSync(root)).not.toContain("home")
    })
  )

  it.scopedLive("the first one becomes the default and says so; the next one does not", () =>
    Effect.gen(function* () {
      const { root, home, file } = yield* place
      const first = yield* using(home, add("team", "./flows", root))
      const second = yield* using(home, add("other", join(root, "more"), "/"))
      expect(first.message).toBe(
        `Added registry 'team' (path: ${root}/flows). It is now the default registry, because it is the first one.`
      )
      expect(second.message).toBe(`Added registry 'other' (path: ${root}/more).`)
      expect(yield* using(home, load)).toEqual({
        default: "team",
        registries: {
          team: { type: "path", source: join(root, "flows") },
          other: { type: "path", source: join(root, "more") }
        }
      })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readdirSync(home)).toEqual(["registries.toml"])
    })
  )

  it.scopedLive("can be set as default when they are added, and later", () =>
    Effect.gen(function* () {
      const { root, home } = yield* place
      yield* using(home, add("one", "flows", root))
      const added = yield* using(
        home,
        Effect.flatMap(RegistriesConfig, (config) =>
          config.add({ name: "two", source: "acme/flows", default: "make-default", workingDirectory: root })
        )
      )
      expect(added).toMatchObject({ default: "requested", registry: { type: "github", source: "acme/flows" } })
      expect((yield* using(home, load)).default).toBe("two")
      yield* using(
        home,
        Effect.flatMap(RegistriesConfig, (config) => config.setDefault("one"))
      )
      expect((yield* using(home, load)).default).toBe("one")
    })
  )

  it.scopedLive("removing the default leaves none, and says so", () =>
    Effect.gen(function* () {
      const { root, home } = yield* place
      yield* using(home, add("one", "flows", root))
      yield* using(home, add("two", "more", root))
      const removed = yield* using(
        home,
        Effect.flatMap(RegistriesConfig, (config) => config.remove("one"))
      )
      expect(removed.message).toContain("There is no default registry now")
      expect(yield* using(home, load)).toEqual({ registries: { two: { type: "path", source: join(root, "more") } } })
    })
  )

  it.scopedLive("refuses what cannot be added or found, with the nearest name", () =>
    Effect.gen(function* () {
      const { root, home } = yield* place
      const failed = <A, E>(program: Effect.Effect<A, E, RegistriesConfig>) => Effect.flip(using(home, program))
      const change = (verb: "remove" | "setDefault", name: string) =>
        Effect.flatMap(RegistriesConfig, (config): Effect.Effect<unknown, unknown> => config[verb](name))
      expect(yield* failed(change("remove", "team"))).toMatchObject({ problem: "unknown" })
      yield* using(home, add("team", "flows", root))
      expect(yield* failed(add("team", "more", root))).toMatchObject({ problem: "exists" })
      for (const name of ["", "a b", "../x", "_adhoc", "..", "ü", "__proto__"]) {
        expect(yield* failed(add(name, "more", root))).toMatchObject({ problem: "invalid" })
      }
      expect(yield* failed(add("x", "./missing", root))).toMatchObject({ reason: `${root}/missing is not a folder` })
      expect(String(yield* failed(change("setDefault", "taem")))).toContain("Did you mean 'team'?")
      expect(Object.keys((yield* using(home, load)).registries)).toEqual(["team"])
    })
  )

  it.scopedLive("a malformed file is never overwritten", () =>
    Effect.gen(function* () {
      const { root, home, file } = yield* place
      mkdirSync(home)
      writeFileSync(file, "default = ")
      expect(yield* Effect.flip(using(home, add("x", "flows", root)))).toMatchObject({
        _tag: "RegistriesFileError",
        line: 1
      })
      expect(readFileSync(file, "utf8")).toBe("default = ")
    })
  )

  it.scopedLive("a file that is a symbolic link stays one", () =>
    Effect.gen(function* () {
      const { root, home, file } = yield* place
      mkdirSync(home)
      writeFileSync(join(root, "settings.toml"), "")
      symlinkSync(join(root, "settings.toml"), file)
      yield* using(home, add("x", "flows", root))
      expect(lstatSync(file).isSymbolicLink()).toBe(true)
      expect(readFileSync(join(root, "settings.toml"), "utf8")).toContain(`[registries."x"]`)
    })
  )

  it.scopedLive("a home that cannot be written is an error that says what to do", () =>
    Effect.gen(function* () {
      const { root } = yield* place
      writeFileSync(join(root, "occupied"), "")
      const error = yield* Effect.flip(using(join(root, "occupied", "home"), add("x", "flows", root)))
      expect(String(error)).toMatch(/ENOTDIR.*CONDUCTOR_HOME/)
    })
  )

  it.scopedLive("additions from several processes at once all count", () =>
    Effect.gen(function* () {
      const { root, home } = yield* place
      const script = yield* bundledProgram(fileURLToPath(new URL("./addRegistries.fixture.ts", import.meta.url)))
      const groups = ["a", "b", "c"].map((letter) => Array.from({ length: 15 }, (_, index) => `${letter}${index}`))
      const codes = yield* Effect.promise(() =>
        Promise.all(
          groups.map(async (names) => {
            const child = spawn(process.execPath, [script, home, join(root, "flows"), ...names], {
              stdio: ["ignore", "inherit", "inherit"]
            })
            const [code] = await once(child, "exit")
            return code
          })
        )
      )
      expect(codes).toEqual([0, 0, 0])
      expect(Object.keys((yield* using(home, load)).registries).sort()).toEqual(groups.flat().sort())
    })
  )
})
