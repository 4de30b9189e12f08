/** The name of a value's type as error messages show it: that of the language the workflow format comes from. */
import { Float } from "../../domain/Value.ts"
import { Dict } from "./Dict.ts"
import { DictView, Generator, List, Markup, Range, type Runtime, Tuple, Undefined } from "./Runtime.ts"

export const typeName = (value: Runtime): string => {
  if (value === null) return "NoneType"
  if (typeof value === "boolean") return "bool"
  if (typeof value === "string") return "str"
  if (typeof value === "bigint") return "int"
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float"
  if (value instanceof Float) return "float"
  if (value instanceof Markup) return "Markup"
  if (value instanceof Undefined) return "Undefined"
  if (value instanceof List) return "list"
  if (value instanceof Tuple) return "tuple"
  if (value instanceof Dict) return "dict"
  if (value instanceof DictView) return `dict_${value.kind}`
  if (value instanceof Range) return "range"
  if (value instanceof Generator) return "generator"
  return value.type
}
