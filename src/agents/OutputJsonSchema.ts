/** The JSON Schema that asks a model for the declared output of a step (workflow language §7.5). */
import { toJson, type Json } from "../domain/Value.ts"
import type { OutputField, OutputFields } from "../language/document/OutputField.ts"

type JsonSchema = { readonly [keyword: string]: Json }

export interface OutputJsonSchema {
  readonly schema: JsonSchema
  /**
   * Whether endpoints can hold the model to the schema ("strict" of the OpenAI API). They then want every property
   * required, every object closed and no limits of length.
   */
  readonly strict: boolean
}

const isStrictField = (field: OutputField): boolean => {
  if (!field.required || field.minLength !== undefined || field.maxLength !== undefined) return false
  if (field.type === "array") return field.items !== undefined && isStrictField({ ...field.items, required: true })
  return field.type !== "object" || (field.properties !== undefined && areStrict(field.properties))
}

const areStrict = (fields: OutputFields): boolean => Object.values(fields).every(isStrictField)

const KEYWORDS = ["description", "pattern", "minimum", "maximum", "minLength", "maxLength"] as const

const keywordsOf = (field: OutputField): JsonSchema =>
  Object.fromEntries(
    KEYWORDS.flatMap((keyword) => {
      const value = field[keyword]
      return value === undefined ? [] : [[keyword, value]]
    })
  )

const objectSchema = (fields: OutputFields, strict: boolean): JsonSchema => ({
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, strict)])),
  required: Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : [])),
  ...(strict ? { additionalProperties: false } : {})
})

const fieldSchema = (field: OutputField, strict: boolean): JsonSchema => ({
  type: field.nullable ? [field.type, "null"] : field.type,
  ...keywordsOf(field),
  ...(field.enum === undefined ? {} : { enum: [...field.enum.map(toJson), ...(field.nullable ? [null] : [])] }),
  ...(field.items === undefined ? {} : { items: fieldSchema(field.items, strict) }),
  ...(field.properties === undefined ? {} : objectSchema(field.properties, strict))
})

export const outputJsonSchema = (fields: OutputFields): OutputJsonSchema => {
  const strict = areStrict(fields)
  return { schema: { type: "object", ...objectSchema(fields, strict) }, strict }
}
