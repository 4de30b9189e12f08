/**
 * Whether a value satisfies an announced output schema. Hosts refuse a whole result that does not, so an output of an
 * unexpected type must be noticed here and given as text instead.
 */
import type { Json } from "../domain/Value.ts"
import type { JsonSchema } from "../catalogue/CatalogueEntry.ts"

const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hasType = (type: Json, value: Json): boolean => {
  switch (type) {
    case "object":
      return isObject(value)
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case "null":
      return value === null
    default:
      return typeof value === type
  }
}

/** Knows the keywords that output schemas of the catalogue are made of; others are no reason to refuse a value. */
export const fitsSchema = (schema: JsonSchema, value: Json): boolean => {
  const { type, enum: options, anyOf, items, properties, required, additionalProperties } = schema
  if (type !== undefined && !hasType(type, value)) return false
  if (Array.isArray(options) && !options.some((option) => option === value)) return false
  if (Array.isArray(anyOf) && !anyOf.some((branch) => isObject(branch) && fitsSchema(branch, value))) return false
  if (Array.isArray(value)) return !isObject(items) || value.every((element) => fitsSchema(items, element))
  if (!isObject(value)) return true
  if (Array.isArray(required) && !required.every((key) => Object.hasOwn(value, String(key)))) return false
  const known = isObject(properties) ? properties : {}
  return Object.entries(value).every(([key, entry]) => {
    const property = Object.hasOwn(known, key) ? known[key] : additionalProperties
    return property !== false && (!isObject(property) || fitsSchema(property, entry))
  })
}
