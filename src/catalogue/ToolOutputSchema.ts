/**
 * What can be promised of a workflow's output before it runs. Clients throw a result away that breaks its schema, so
 * only that is promised which holds whatever the steps answer; the rest is named and left untyped.
 *
 * An output value is a template's text, read again (workflow language §3.4a). Text that looks like a number becomes one,
 * `1e-05` does not, and lists lose their quotes unless written with `| json`. So a boolean can be promised, a text
 * only as JSON or as an enum of words, lists and objects only as JSON, and a number never.
 */
import { sanitiseDescription } from "../boundary/Sanitiser.ts"
import type { OutputField, OutputFields } from "../language/document/OutputField.ts"
import type { JsonSchema } from "./CatalogueEntry.ts"
import type { OutputFacts } from "./OutputFacts.ts"

/** Steps whose declared output is checked before it is stored. */
const CHECKED = new Set(["agent", "script", "set", "mcp"])
/** Names that templates see as something else. */
const SHADOWED = new Set(["workflow", "context"])
const MAX_DEPTH = 6
const MAX_BYTES = 8192

type Notation = "text" | "json"

const REFERENCE = /^(\s*)\{\{-?\s*([A-Za-z_]\w*)\.output\.([A-Za-z_]\w*)\s*(\|\s*(?:json|tojson)\s*)?-?\}\}(\s*)$/

/** Text that is read again as itself: it begins like a word, and is none of the words for true, false and nothing. */
const staysText = (word: string): boolean => /^[A-Za-z]/.test(word) && !/^(?:true|false|none|null)\s*$/i.test(word)

const MOST_WORDS = 50
const LONGEST_WORD = 100

const isPublishable = (word: string): boolean =>
  word.length <= LONGEST_WORD && !word.includes("${") && sanitiseDescription(word) === word

/** The words of an enum that are fit to be shown as they are, and that mean the same when the workflow runs. */
const wordsOf = ({ enum: values }: OutputField): ReadonlyArray<string> | undefined => {
  const words = [...new Set(values?.filter((value) => typeof value === "string"))]
  return words.length > 0 && words.length <= MOST_WORDS && words.every(isPublishable) ? words : undefined
}

const textSchema = (field: OutputField, notation: Notation): JsonSchema | undefined => {
  const words = wordsOf(field)
  if (notation === "json") return words === undefined ? { type: "string" } : { type: "string", enum: words }
  return words !== undefined && words.every(staysText) ? { type: "string", enum: words } : undefined
}

/** `undefined`: nothing can be promised. */
const schemaOf = (field: OutputField, notation: Notation, depth = 0): JsonSchema | undefined => {
  if (field.nullable || depth > MAX_DEPTH) return undefined
  switch (field.type) {
    case "boolean":
      return { type: "boolean" }
    case "string":
      return textSchema(field, notation)
    case "number":
      return undefined
    case "array": {
      const items =
        notation === "json" && field.items !== undefined ? schemaOf(field.items, "json", depth + 1) : undefined
      return items === undefined ? undefined : { type: "array", items }
    }
    case "object":
      return notation === "json" ? objectSchema(field.properties ?? {}, depth) : undefined
  }
}

const isPortableKey = (key: string): boolean => /^[a-zA-Z0-9_]{1,64}$/.test(key) && !(key in {})

const objectSchema = (fields: OutputFields, depth: number): JsonSchema => {
  const properties = Object.entries(fields).flatMap(([key, field]) => {
    const schema = isPortableKey(key) ? schemaOf(field, "json", depth + 1) : undefined
    return schema === undefined ? [] : [[key, schema] as const]
  })
  return properties.length === 0 ? { type: "object" } : { type: "object", properties: Object.fromEntries(properties) }
}

const fieldOf = ({ nodes }: OutputFacts, step: string, key: string): OutputField | undefined => {
  const [node, another] = nodes.filter(({ name }) => name === step)
  if (node === undefined || another !== undefined || SHADOWED.has(step) || !CHECKED.has(node.type)) return undefined
  const fields = node.output ?? {}
  // An output with both of these keys is shown to templates without its `output` (workflow language §4.2).
  if (Object.hasOwn(fields, "outputs") && Object.hasOwn(fields, "errors")) return undefined
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

const promiseOf = (facts: OutputFacts, key: string, template: string): JsonSchema | undefined => {
  if (facts.overrides.has(key) || !isPortableKey(key)) return undefined
  const [, before = "", step = "", name = "", filter, after = ""] = REFERENCE.exec(template) ?? []
  const field = fieldOf(facts, step, name)
  // Blanks around a text become part of it; a number, a list or a boolean is read without them.
  if (field === undefined || (field.type === "string" && filter === undefined && before + after !== ""))
    return undefined
  const schema = schemaOf(field, filter === undefined ? "text" : "json")
  const description = sanitiseDescription(field.description ?? "")
  return schema === undefined || description === "" ? schema : { ...schema, description }
}

const namesOf = (keys: ReadonlyArray<string>): string => sanitiseDescription(`With ${keys.join(", ")}.`)

/** The schema of the value under `output` of the result envelope. No key is required: a route may leave some out. */
export const toolOutputSchema = (facts: OutputFacts): JsonSchema => {
  const keys = Object.keys(facts.templates)
  const properties = Object.entries(facts.templates).flatMap(([key, template]) => {
    const schema = promiseOf(facts, key, template)
    return schema === undefined ? [] : [[key, schema] as const]
  })
  const root: JsonSchema = { type: "object", ...(keys.length === 0 ? {} : { description: namesOf(keys) }) }
  if (properties.length === 0) return root
  const schema: JsonSchema = { ...root, properties: Object.fromEntries(properties) }
  return Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES ? root : schema
}

/** Whether anything at all can be promised of the values. */
export const promisesAnything = (facts: OutputFacts): boolean => Object.hasOwn(toolOutputSchema(facts), "properties")
