/**
 * Every example workflow of the reference, read where it lies: it loads, says the same about its inputs and its weak
 * spots, and runs to the same end with the answers that its models gave. The files are not part of this repository, so
 * all of it is skipped where they are not, and says so.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inputSchemaOf } from "../../src/language/InputSchema.ts"
import { loadWorkflow } from "../../src/language/Loader.ts"
import { compilePlan } from "../../src/language/Plan.ts"
import { validateWithSubWorkflows } from "../../src/language/validate/SubWorkflows.ts"
import { platformOf, runExample, type Example } from "../support/corpus/examples.ts"
import { startedNodes } from "../support/StartedNodes.ts"

const corpus = new URL("../../../shared/corpus/", import.meta.url)
const isHere = existsSync(corpus)
const examples: ReadonlyArray<Example> = isHere ? JSON.parse(readFileSync(new URL("examples.json", corpus), "utf8")) : []

const pathOf = ({ file }: Example): string => fileURLToPath(new URL(`examples/${file}`, corpus))

const named = (example: Example): string => [example.file, example.variant].filter(Boolean).join(", ")

if (!isHere) process.stderr.write(`The reference's examples are NOT tested: there is no ${fileURLToPath(corpus)}\n`)

describe.skipIf(!isHere)("the examples of the reference", () => {
  it("are all listed", () => {
    const files = readdirSync(new URL("examples/", corpus)).filter((name) => name.endsWith(".yaml"))
    expect([...new Set(examples.map(({ file }) => file))].toSorted()).toEqual(files.toSorted())
  })

  for (const example of examples) {
    it.effect(`${named(example)}: loads and validates`, () =>
      Effect.gen(function* () {
        const loaded = yield* loadWorkflow(pathOf(example))
        const diagnostics = yield* validateWithSubWorkflows(loaded)
        const plan = compilePlan(loaded)

        expect(inputSchemaOf(loaded.document.workflow.input)).toEqual(example.inputSchema)
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
        expect(diagnostics).toHaveLength(example.warnings)
        expect(plan.nodes.has(plan.entry)).toBe(true)
      }).pipe(Effect.provide(platformOf(example)))
    )
  }

  describe.concurrent("run to their end", () => {
    for (const example of examples) {
      it.live(named(example), () =>
        Effect.gen(function* () {
          const { errorName = "", errorType, history, iterations, nodes, output, status } = example
          const ended = yield* runExample(pathOf(example), example)

          expect(ended).toMatchObject({ status, history, iterations })
          expect(startedNodes(ended.events)).toEqual(nodes)
          if (output !== undefined) expect(ended.output).toEqual(output)
          if (errorType !== undefined) expect(ended.error?.type).toBe(errorType)
          expect(ended.error?.message ?? "").toContain(errorName)
        })
      )
    }
  })
})
