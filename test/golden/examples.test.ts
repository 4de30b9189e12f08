/** Every example workflow of the reference loads in place, and says the same about its inputs and its weak spots. */
import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inputSchemaOf } from "../../src/language/InputSchema.ts"
import { loadWorkflow } from "../../src/language/Loader.ts"
import { compilePlan } from "../../src/language/Plan.ts"
import { validateWithSubWorkflows } from "../../src/language/validate/SubWorkflows.ts"
import { languagePlatform } from "../support/LanguagePlatform.ts"

interface Example {
  readonly file: string
  readonly variant?: string
  /** Names of the variables that it needs. */
  readonly env?: ReadonlyArray<string>
  readonly inputSchema: unknown
  readonly warnings: number
}

const corpus = new URL("../../../shared/corpus/", import.meta.url)
const examples: ReadonlyArray<Example> = JSON.parse(readFileSync(new URL("examples.json", corpus), "utf8"))

/** Without skills or plugins of its own, whatever the home of who runs this has. */
const HOME = "/nonexistent"

for (const { env = [], file, inputSchema, variant = "", warnings } of examples) {
  it.effect(`${file} ${variant}`, () =>
    Effect.gen(function* () {
      const loaded = yield* loadWorkflow(new URL(`examples/${file}`, corpus).pathname)
      const diagnostics = yield* validateWithSubWorkflows(loaded)
      const plan = compilePlan(loaded)

      expect(inputSchemaOf(loaded.document.workflow.input)).toEqual(inputSchema)
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
      expect(diagnostics).toHaveLength(warnings)
      expect(plan.nodes.has(plan.entry)).toBe(true)
    }).pipe(Effect.provide(languagePlatform({ HOME, ...Object.fromEntries(env.map((name) => [name, "set"])) })))
  )
}
