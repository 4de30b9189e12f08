/** Entries for tests that are about one property of an entry. */
import { pinOf } from "../../../src/domain/Pin.ts"
import type { CatalogueEntry } from "../../../src/catalogue/CatalogueEntry.ts"
import { toolInput } from "../../../src/catalogue/ToolInputSchema.ts"
import type { InputDefinitions } from "../../../src/language/document/InputDefinition.ts"

export const entryOf = (changes: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  tool: "review_pr",
  registry: "official",
  key: "review",
  title: "Review PR",
  description: "Reviews a pull request. (async)",
  file: "/flows/review.yaml",
  pin: pinOf("review"),
  mode: "async",
  inputSchema: { type: "object", properties: {} },
  parameters: {},
  outputSchema: {},
  exposedBy: "on by default",
  ...changes
})

export const entryWithInputs = (inputs: InputDefinitions): CatalogueEntry => {
  const { parameters, schema } = toolInput(inputs)
  return entryOf({ inputSchema: schema, parameters })
}
