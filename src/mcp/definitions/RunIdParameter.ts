import type { JsonSchema } from "../../catalogue/CatalogueEntry.ts"

export const runIdParameter: JsonSchema = {
  type: "string",
  description: "The run_id that a workflow tool returned."
}
