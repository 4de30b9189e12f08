import { FileSystem } from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { renderPrompt } from "../../../src/engine/PromptRendering.ts"
import { Environment } from "../../../src/platform/Environment.ts"

/** Renders a prompt that stands in a folder `prompts` with these files beside it, and a secret one level above. */
const rendered = Effect.fn("rendered")(function* (template: string, files: Readonly<Record<string, string>> = {}) {
  const fileSystem = yield* FileSystem
  const root = yield* fileSystem.makeTempDirectoryScoped()
  yield* fileSystem.makeDirectory(join(root, "prompts"))
  yield* fileSystem.writeFileString(join(root, "secret.md"), "secret")
  for (const [name, text] of Object.entries(files)) {
    yield* fileSystem.writeFileString(join(root, "prompts", name), text)
  }
  return yield* Effect.either(renderPrompt({ template, origin: join(root, "prompts", "main.md") }, {}))
})

const world = [NodeContext.layer, Environment.layerOf({ SET: "yes" })] as const

describe("a prompt from a file", () => {
  it.scoped("can include what stands beside it, which can include more", () =>
    Effect.gen(function* () {
      const files = { "a.md": "a {% include 'b.md' %}", "b.md": "b ${SET} ${UNSET:-no}" }
      expect(yield* rendered("{% include 'a.md' %}", files)).toMatchObject({ right: "a b yes no" })
    }).pipe(Effect.provide(world))
  )

  it.scoped("cannot include what stands outside its folder", () =>
    Effect.gen(function* () {
      const result = yield* rendered("{% include '../secret.md' %}")
      expect(result).toMatchObject({ left: { _tag: "TemplateError" } })
      expect(result).toHaveProperty("left.message", expect.stringContaining("below the prompt's own directory"))
    }).pipe(Effect.provide(world))
  )

  it.scoped("can go on without a file that it marks as optional", () =>
    Effect.gen(function* () {
      expect(yield* rendered("x{% include 'none.md' ignore missing %}y")).toMatchObject({ right: "xy" })
    }).pipe(Effect.provide(world))
  )

  it.scoped("names the variable that an included file needs", () =>
    Effect.gen(function* () {
      const result = yield* rendered("{% include 'a.md' %}", { "a.md": "${UNSET}" })
      expect(result).toMatchObject({ left: { _tag: "ConfigurationError" } })
      expect(result).toHaveProperty("left.message", expect.stringContaining("'UNSET'"))
    }).pipe(Effect.provide(world))
  )

  it.scoped("cannot make up files without end", () =>
    Effect.gen(function* () {
      const template = "{% for i in range(100000) %}{% include i ~ '.md' ignore missing %}{% endfor %}"
      expect(yield* rendered(template)).toMatchObject({ left: { _tag: "ConfigurationError" } })
    }).pipe(Effect.provide(world))
  )
})
