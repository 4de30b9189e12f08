/**
 * Whether a value satisfies a schema node of the kinds that `ToolInputSchema` writes: `type`, `items` and `anyOf`. A keyword
 * that is added there must be understood here.
 */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** The type that a node asks for. */
export const typeName = (schema: unknown): string => (isObject(schema) ? String(schema["type"]) : "anything")

/** The predicate of a sentence about the value, such as "must be string, not null"; `undefined` when it satisfies the schema. */
export const mismatch = (schema: unknown, value: unknown): string | undefined => {
  if (!isObject(schema)) return undefined
  const branches: unknown = schema["anyOf"]
  if (Array.isArray(branches)) return noneOf(branches, value)
  const kind = kindOf(value)
  if (kind !== schema["type"]) return `must be ${typeName(schema)}, not ${kind}`
  if (!Array.isArray(value)) return undefined
  const wrong = value.findIndex((element) => mismatch(schema["items"], element) !== undefined)
  return wrong === -1 ? undefined : `is wrong at element ${wrong}, which ${mismatch(schema["items"], value[wrong])}`
}

/** The branch of the value's own kind tells most about what is wrong with it. */
const noneOf = (branches: ReadonlyArray<unknown>, value: unknown): string | undefined => {
  if (branches.some((branch) => mismatch(branch, value) === undefined)) return undefined
  const own = branches.find((branch) => typeName(branch) === kindOf(value))
  return own === undefined
    ? `must be ${branches.map(typeName).join(" or ")}, not ${kindOf(value)}`
    : mismatch(own, value)
}
