/**
 * How templates reach into values. A key of a map comes before a method of the same name; what is missing is an
 * `Undefined` that knows what was looked for, so that it fails only when it is used.
 */
import { attributeNames, attributeOf } from "../expression/Attributes.ts"
import type { Budget } from "../expression/Budget.ts"
import { Dict } from "../expression/Dict.ts"
import { quote } from "../expression/PythonText.ts"
import { type Runtime, textOf, Undefined } from "../expression/Runtime.ts"
import { itemOf } from "../expression/Subscript.ts"
import { typeName } from "../expression/TypeName.ts"

const owner = (value: Runtime): string => (value === null ? "None" : `${typeName(value)} object`)

const missing = (target: Runtime, key: Runtime, budget: Budget): Undefined => {
  const name = textOf(key)
  if (name === undefined) return new Undefined(`${owner(target)} has no element ${quote(key, budget)}`)
  return new Undefined(`'${owner(target)}' has no attribute ${quote(name, budget)}`, name, "strict", () =>
    attributeNames(target)
  )
}

/** `target.name` */
export const getAttribute = (target: Runtime, name: string, budget: Budget): Runtime => {
  const entry = target instanceof Dict ? target.get(name) : undefined
  const found = entry === undefined ? attributeOf(target, name) : entry
  return found === undefined ? missing(target, name, budget) : found
}

/** `target[key]`, also for the dotted paths that filters take. */
export const getItem = (target: Runtime, key: Runtime, budget: Budget): Runtime => {
  const item = itemOf(target, key, budget)
  if (item !== undefined) return item
  const name = textOf(key)
  const attribute = name === undefined ? undefined : attributeOf(target, name)
  return attribute === undefined ? missing(target, key, budget) : attribute
}
