/**
 * The input schema of a workflow tool, in the subset that every host takes (MCP hosts §4.3): a closed root object, one
 * `type` or `anyOf` a node, `items` always, no boolean or empty sub-schemas. `decodeArguments` is its validator, so a
 * keyword that is added here must be understood by `SchemaMismatch`.
 */
import { isList, isMap, toJson, type Value } from "../domain/Value.ts"
import { sanitiseDescription } from "../boundary/Sanitiser.ts"
import type { InputDefinition, InputDefinitions } from "../language/document/InputDefinition.ts"
import type { JsonSchema } from "./CatalogueEntry.ts"
import { renamedParameters, WAIT_SECONDS } from "./ParameterNames.ts"
import { mismatch } from "./SchemaMismatch.ts"

export interface ToolInput {
  readonly schema: JsonSchema
  /** Parameter → workflow input, where they differ. */
  readonly parameters: Readonly<Record<string, string>>
}

const waitSeconds: JsonSchema = {
  type: "number",
  description:
    "Seconds to wait for the result. Leave it out unless the user asked to wait: the run goes on by itself either way, " +
    "and the answer says how to follow it. 0 answers at once."
}

const simpleElements: ReadonlyArray<JsonSchema> = [
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "object" }
]

/**
 * Elements of an array input, which the workflow language does not type. An empty schema would say it shorter, but strict
 * linters and single-type dialects refuse it. So lists nest once, and what does not fit (null, deeper lists) goes
 * through inside of an object.
 */
const anyElement: JsonSchema = {
  anyOf: [...simpleElements, { type: "array", items: { anyOf: simpleElements } }]
}

const LONGEST_DEFAULT = 200

const LONGEST_LITERAL = 1000

/** Text that a host may send back: clean, and no placeholder that only a file can stand for (`${VAR}`, `!file`). */
const isLiteral = (text: string): boolean =>
  !text.includes("${") && !text.startsWith("!file ") && sanitiseDescription(text) === text

const holdsLiterals = (value: Value): boolean => {
  if (typeof value === "string") return isLiteral(value)
  if (isList(value)) return value.every(holdsLiterals)
  return !isMap(value) || Object.entries(value).every(([key, entry]) => isLiteral(key) && holdsLiterals(entry))
}

/** Whether a host that sends a default back would be understood; otherwise only the description tells its beginning. */
const isPublishable = (schema: JsonSchema, value: Value): boolean =>
  holdsLiterals(value) &&
  mismatch(schema, toJson(value)) === undefined &&
  JSON.stringify(toJson(value)).length <= LONGEST_LITERAL

const defaultNote = (value: Value): string => {
  const text = Array.from(sanitiseDescription(JSON.stringify(toJson(value))))
  return text.length > LONGEST_DEFAULT
    ? `Default: ${text.slice(0, LONGEST_DEFAULT).join("")}…`
    : `Default: ${text.join("")}`
}

const defaultOf = ({ default: value }: InputDefinition): Value | undefined => (value === null ? undefined : value)

/** The file's own rule: required unless it says otherwise, and a default always satisfies it (workflow language §4.4). */
const isRequired = (definition: InputDefinition): boolean => definition.required && defaultOf(definition) === undefined

/** Sentences one after another, each ended by a mark. */
const sentences = (parts: ReadonlyArray<string>): string => {
  const said = parts.filter((part) => part !== "")
  return said.map((part, index) => (index === said.length - 1 || /\p{Po}$/u.test(part) ? part : `${part}.`)).join(" ")
}

const propertyOf = (definition: InputDefinition, renamedFrom: string | undefined): JsonSchema => {
  const value = defaultOf(definition)
  const schema: JsonSchema =
    definition.type === "array" ? { type: "array", items: anyElement } : { type: definition.type }
  const description = sentences([
    sanitiseDescription(definition.description ?? ""),
    renamedFrom === undefined ? "" : `Input '${sanitiseDescription(renamedFrom)}' of the workflow.`,
    value === undefined ? "" : defaultNote(value)
  ])
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(value === undefined || !isPublishable(schema, value) ? {} : { default: toJson(value) })
  }
}

/** Whether a workflow cannot be a tool, since its author took the name of the parameter that every tool has. */
export const takesReservedParameter = (inputs: InputDefinitions): boolean => Object.hasOwn(inputs, WAIT_SECONDS)

export const toolInput = (inputs: InputDefinitions): ToolInput => {
  const names = Object.keys(inputs)
  const parameters = renamedParameters(names)
  const parameterOf = new Map(Object.entries(parameters).map(([parameter, input]) => [input, parameter]))
  const properties = Object.entries(inputs).map(([input, definition]) => {
    const renamed = parameterOf.get(input)
    return {
      parameter: renamed ?? input,
      required: isRequired(definition),
      schema: propertyOf(definition, renamed === undefined ? undefined : input)
    }
  })
  const required = properties.filter((property) => property.required).map(({ parameter }) => parameter)
  return {
    parameters,
    schema: {
      type: "object",
      properties: {
        ...Object.fromEntries(properties.map(({ parameter, schema }) => [parameter, schema])),
        [WAIT_SECONDS]: waitSeconds
      },
      ...(required.length === 0 ? {} : { required: required.sort() }),
      additionalProperties: false
    }
  }
}

/** For a workflow whose inputs could not be read: everything goes through by name, and the run itself checks it. */
export const permissiveToolInput: ToolInput = {
  parameters: {},
  schema: { type: "object", properties: { [WAIT_SECONDS]: waitSeconds }, additionalProperties: true }
}
