/** `workflow.input.<name>`: what a workflow asks of its caller (workflow language §1.3.1). */
import { Schema } from "effect"
import { Float, isList, isMap, type Value } from "../../domain/Value.ts"
import { dictionary, open, optional, withDefault } from "./Keyed.ts"
import { describe } from "./Describe.ts"
import { AnyValue, Flag, Text } from "./Scalars.ts"

export const InputType = Schema.Literal("string", "number", "boolean", "array", "object")
export type InputType = typeof InputType.Type

const isNumber = (value: Value): boolean =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Float

/** Whether a value is of a declared type; `number` excludes booleans. */
export const hasType = (type: InputType, value: Value): boolean => {
  switch (type) {
    case "number":
      return isNumber(value)
    case "array":
      return isList(value)
    case "object":
      return isMap(value)
    default:
      return typeof value === type
  }
}

/** An unquoted date as the default of a `string` input is accepted as its text, as its author meant it. */
export const InputDefinition = open({
  type: InputType,
  required: withDefault(Flag, true),
  default: optional(AnyValue),
  description: optional(Text)
}).pipe(
  Schema.filter(({ default: value, type }) =>
    value === undefined || hasType(type, value)
      ? undefined
      : { path: ["default"], message: `expected a default of type ${type}, got ${describe(value)}` }
  )
)
export type InputDefinition = typeof InputDefinition.Type

export const InputDefinitions = dictionary(InputDefinition)
export type InputDefinitions = typeof InputDefinitions.Type
