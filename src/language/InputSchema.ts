/** The JSON Schema of what a workflow asks of its caller. */
import { toJson, type Json } from "../domain/Value.ts"
import type { InputDefinition, InputDefinitions } from "./document/InputDefinition.ts"

export type JsonSchema = { readonly [keyword: string]: Json }

const property = ({ default: value, description, type }: InputDefinition): JsonSchema => ({
  type,
  ...(description === undefined ? {} : { description }),
  ...(value === undefined ? {} : { default: toJson(value) })
})

/** An input is required when it is declared so and has no default; undeclared inputs are not ruled out. */
export const inputSchemaOf = (inputs: InputDefinitions): JsonSchema => {
  const required = Object.entries(inputs).flatMap(([name, input]) =>
    input.required && input.default === undefined ? [name] : []
  )
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, property(input)])),
    ...(required.length === 0 ? {} : { required })
  }
}
