/** `output.<name>` of a step: the declared shape of one output value, recursively (workflow language §1.8). */
import { Either, Schema } from "effect"
import type { Value } from "../../domain/Value.ts"
import { compilePattern } from "../Pattern.ts"
import { hasType, InputType } from "./InputDefinition.ts"
import { closed, dictionary, list, optional, withDefault } from "./Keyed.ts"
import { describe } from "./Describe.ts"
import { AnyValue, Flag, integer, isScalarValue, number, Text } from "./Scalars.ts"

export interface OutputField {
  readonly type: InputType
  readonly description?: string
  readonly items?: OutputField
  readonly properties?: OutputFields
  readonly enum?: ReadonlyArray<Value>
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** False only inside `properties`. */
  readonly required: boolean
  readonly nullable: boolean
}

export type OutputFields = Readonly<Record<string, OutputField>>

/** The keywords that say something about one type only. */
const KEYWORD_TYPES = {
  items: "array",
  properties: "object",
  pattern: "string",
  minLength: "string",
  maxLength: "string",
  minimum: "number",
  maximum: "number"
} as const

const misplaced = (field: OutputField): ReadonlyArray<Schema.FilterIssue> =>
  Object.entries(KEYWORD_TYPES).flatMap(([keyword, type]) =>
    field[keyword as keyof typeof KEYWORD_TYPES] !== undefined && field.type !== type
      ? [{ path: [keyword], message: `"${keyword}" is for type ${type} only, this field is of type ${field.type}` }]
      : []
  )

const enumIssues = ({ enum: values, type }: OutputField): ReadonlyArray<Schema.FilterIssue> => {
  if (values === undefined) return []
  if (!["string", "number", "boolean"].includes(type)) {
    return [{ path: ["enum"], message: `"enum" is for scalar types only, this field is of type ${type}` }]
  }
  if (values.length === 0) return [{ path: ["enum"], message: `"enum" needs at least one value` }]
  return values.flatMap((value, index) =>
    isScalarValue(value) && hasType(type, value)
      ? []
      : [{ path: ["enum", index], message: `expected an enum value of type ${type}, got ${describe(value)}` }]
  )
}

const ordered = (field: OutputField, lower: "minimum" | "minLength", upper: "maximum" | "maxLength") => {
  const [least, most] = [field[lower], field[upper]]
  return least !== undefined && most !== undefined && least > most
    ? [{ path: [lower], message: `"${lower}" (${least}) must not exceed "${upper}" (${most})` }]
    : []
}

const patternIssues = ({ pattern }: OutputField): ReadonlyArray<Schema.FilterIssue> =>
  pattern === undefined
    ? []
    : Either.match(compilePattern(pattern), {
        onLeft: (reason) => [{ path: ["pattern"], message: `"pattern" is not a regular expression: ${reason}` }],
        onRight: () => []
      })

const issuesOf = (field: OutputField): ReadonlyArray<Schema.FilterIssue> => [
  ...misplaced(field),
  ...enumIssues(field),
  ...ordered(field, "minimum", "maximum"),
  ...ordered(field, "minLength", "maxLength"),
  ...patternIssues(field)
]

const nested: Schema.Schema<OutputField, unknown> = Schema.suspend(() => OutputField)

export const OutputField: Schema.Schema<OutputField, unknown> = closed({
  type: InputType,
  description: optional(Text),
  items: optional(nested),
  properties: optional(dictionary(nested)),
  enum: optional(list(AnyValue)),
  pattern: optional(Text),
  minimum: optional(number()),
  maximum: optional(number()),
  minLength: optional(integer({ min: 0 })),
  maxLength: optional(integer({ min: 0 })),
  required: withDefault(Flag, true),
  nullable: withDefault(Flag, false)
}).pipe(Schema.filter(issuesOf))

export const OutputFields: Schema.Schema<OutputFields, unknown> = dictionary(OutputField)
