/** Filters on values of any kind. */
import { attributeOf } from "../expression/Attributes.ts"
import { isTrue } from "../expression/Comparison.ts"
import { type Runtime, Undefined } from "../expression/Runtime.ts"
import { filter, type Filter, needText } from "./Filter.ts"
import { getAttribute } from "./Lookup.ts"
import { prettyText } from "./PrettyText.ts"

/** `none` is missing too where the workflow language says so. */
const fallback = (
  missing: "undefined" | "undefined or none",
  value: Runtime,
  other: Runtime | undefined,
  boolean: Runtime | undefined
): Runtime => {
  const isMissing = value instanceof Undefined || (missing === "undefined or none" && value === null)
  if (isMissing || (boolean !== undefined && isTrue(boolean) && !isTrue(value))) return other === undefined ? "" : other
  return value
}

export const valueFilters: ReadonlyArray<readonly [string, Filter]> = [
  filter("default", ["default_value?", "boolean?"], (value, [other, boolean]) =>
    fallback("undefined or none", value, other, boolean)
  ),
  filter("d", ["default_value?", "boolean?"], (value, [other, boolean]) =>
    fallback("undefined", value, other, boolean)
  ),
  filter("attr", ["name"], (value, [name], { budget }) => {
    const key = needText(name, "the name of an attribute")
    const attribute = attributeOf(value, key)
    return attribute === undefined ? getAttribute(null, key, budget) : attribute
  }),
  filter("pprint", [], (value, _, { budget }) => prettyText(value, budget))
]
