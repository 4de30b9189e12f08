/** The dotted attribute paths that filters take (`a.b.0`), and the keys that sorting and grouping use. */
import type { Budget } from "../expression/Budget.ts"
import { List, Markup, type Runtime, textOf, Undefined } from "../expression/Runtime.ts"
import { getItem } from "./Lookup.ts"

export type Getter = (item: Runtime) => Runtime

const partsOf = (path: Runtime): ReadonlyArray<Runtime> => {
  const text = textOf(path)
  if (text === undefined) return path === null ? [] : [path]
  return text.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** With a fallback (not none), every missing step of the path counts as the fallback. */
export const getter = (path: Runtime | undefined, budget: Budget, fallback: Runtime = null): Getter => {
  const parts = partsOf(path ?? null)
  return (item) =>
    parts.reduce<Runtime>((value, part) => {
      const found = getItem(value, part, budget)
      return found instanceof Undefined && fallback !== null ? fallback : found
    }, item)
}

const ignoreCase = (value: Runtime): Runtime => {
  if (typeof value === "string") return value.toLowerCase()
  return value instanceof Markup ? value.text.toLowerCase() : value
}

export const caseRule = (isSensitive: boolean): Getter => (isSensitive ? (value) => value : ignoreCase)

/** For `a,b`: a list of keys, compared one after another. */
export const multipleGetter = (path: Runtime | undefined, rule: Getter, budget: Budget): Getter => {
  const text = textOf(path)
  const getters = (text === undefined ? [path] : text.split(",")).map((part) => getter(part, budget))
  return (item) => List.of(getters.map((get) => rule(get(item))))
}
