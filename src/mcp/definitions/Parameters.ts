/** Parameters that several tools have. */
import type { JsonSchema } from "../../catalogue/CatalogueEntry.ts"

export const runIdParameter: JsonSchema = {
  type: "string",
  description: "The run_id that a workflow tool returned."
}

/** Beyond any list and any output; without a bound a schema would allow numbers that are no exact integers. */
export const largestOffset = 1_000_000_000

export const offsetParameter = (description: string): JsonSchema => ({
  type: "integer",
  minimum: 0,
  maximum: largestOffset,
  description
})
