/** Equality, order, membership and truth, with the rules of the host language: no conversion between kinds. */
import { Float } from "../../domain/Value.ts"
import type { Budget } from "./Budget.ts"
import { Dict } from "./Dict.ts"
import { typeFault } from "./Fault.ts"
import { isIterable, iterate } from "./Iteration.ts"
import { numeric, type Numeric } from "./Numbers.ts"
import { DictView, List, Markup, Range, type Runtime, textOf, Tuple, Undefined } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"

export const isTrue = (value: Runtime): boolean => {
  if (typeof value === "string") return value !== ""
  if (typeof value === "number") return value !== 0
  if (value === null || typeof value === "boolean") return value === true
  if (typeof value === "bigint") return value !== 0n
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Markup) return value.text !== ""
  if (value instanceof List || value instanceof Tuple) return value.items.length > 0
  if (value instanceof Dict) return value.size > 0
  if (value instanceof DictView) return value.dict.size > 0
  if (value instanceof Range) return value.length > 0
  if (value instanceof Undefined) {
    if (value.mode === "strict") throw value.fault()
    return false
  }
  return true
}

/** JavaScript compares a bigint with a number by value, exactly. */
const raw = (value: Numeric): number | bigint => (value instanceof Float ? value.value : value)

const sequence = (value: Runtime): ReadonlyArray<Runtime> | undefined =>
  value instanceof List || value instanceof Tuple ? value.items : undefined

const equalSequences = (left: ReadonlyArray<Runtime>, right: ReadonlyArray<Runtime>, budget: Budget): boolean =>
  left.length === right.length && left.every((item, index) => same(item, right[index] ?? null, budget))

const equalDicts = (left: Dict, right: Dict, budget: Budget): boolean => {
  if (left.size !== right.size) return false
  for (const [key, value] of left.entries()) {
    const other = right.get(key)
    if (other === undefined || !same(value, other, budget)) return false
  }
  return true
}

/** As elements of a container are compared: the very same value is equal to itself, even NaN. */
export const same = (left: Runtime, right: Runtime, budget: Budget): boolean =>
  (left === right && !(left instanceof Undefined)) || equals(left, right, budget)

export const equals = (left: Runtime, right: Runtime, budget: Budget): boolean => {
  budget.spend()
  if (left instanceof Undefined || right instanceof Undefined) return equalUndefined(left, right)
  const leftNumber = numeric(left)
  const rightNumber = numeric(right)
  if (leftNumber !== undefined && rightNumber !== undefined) return raw(leftNumber) == raw(rightNumber)
  const leftText = textOf(left)
  const rightText = textOf(right)
  if (leftText !== undefined && rightText !== undefined) return leftText === rightText
  budget.enter()
  const equal = equalContainers(left, right, budget)
  budget.leave()
  return equal
}

const equalUndefined = (left: Runtime, right: Runtime): boolean => {
  for (const side of [left, right]) if (side instanceof Undefined && side.mode === "strict") throw side.fault()
  return left instanceof Undefined && right instanceof Undefined
}

const equalContainers = (left: Runtime, right: Runtime, budget: Budget): boolean => {
  if (left instanceof List && right instanceof List) return equalSequences(left.items, right.items, budget)
  if (left instanceof Tuple && right instanceof Tuple) return equalSequences(left.items, right.items, budget)
  if (left instanceof Dict && right instanceof Dict) return equalDicts(left, right, budget)
  if (left instanceof Range && right instanceof Range) return equalRanges(left, right)
  return left === right
}

const equalRanges = (left: Range, right: Range): boolean => {
  if (left.length !== right.length) return false
  if (left.length === 0) return true
  return left.start === right.start && (left.length === 1 || left.step === right.step)
}

/** Negative, zero or positive; NaN when the two have no order. */
const orderNumbers = (left: Numeric, right: Numeric): number => {
  const [one, two] = [raw(left), raw(right)]
  return one < two ? -1 : one > two ? 1 : one == two ? 0 : Number.NaN
}

/** By code point: JavaScript's own order differs for characters outside the basic plane. */
const orderTexts = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [one, two] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (one !== two) {
      const [first, second] = [one, two].map((unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit))
      return (first ?? 0) - (second ?? 0)
    }
  }
  return left.length - right.length
}

/** `operator` is shown in the message of values that have no order. */
export const compare = (left: Runtime, right: Runtime, operator: string, budget: Budget): number => {
  budget.spend()
  if (left instanceof Undefined) throw left.fault()
  if (right instanceof Undefined) throw right.fault()
  const leftNumber = numeric(left)
  const rightNumber = numeric(right)
  if (leftNumber !== undefined && rightNumber !== undefined) return orderNumbers(leftNumber, rightNumber)
  const leftText = textOf(left)
  const rightText = textOf(right)
  if (leftText !== undefined && rightText !== undefined) return orderTexts(leftText, rightText)
  const [leftItems, rightItems] = [sequence(left), sequence(right)]
  if (leftItems !== undefined && rightItems !== undefined && left instanceof List === right instanceof List) {
    budget.enter()
    const order = orderSequences(leftItems, rightItems, operator, budget)
    budget.leave()
    return order
  }
  throw typeFault(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`)
}

const orderSequences = (
  left: ReadonlyArray<Runtime>,
  right: ReadonlyArray<Runtime>,
  operator: string,
  budget: Budget
): number => {
  for (const [index, item] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (!same(item, other, budget)) return compare(item, other, operator, budget)
  }
  return left.length - right.length
}

/** `item in container`. */
export const contains = (container: Runtime, item: Runtime, budget: Budget): boolean => {
  const text = textOf(container)
  if (text !== undefined) {
    const part = textOf(item)
    if (part !== undefined) return text.includes(part)
    if (item instanceof Undefined) throw item.fault()
    throw typeFault(`'in <string>' requires string as left operand, not ${typeName(item)}`)
  }
  if (container instanceof Dict) return container.has(item)
  if (container instanceof DictView && container.kind === "keys") return container.dict.has(item)
  if (container instanceof Undefined && container.mode === "strict") throw container.fault()
  if (isIterable(container)) {
    for (const candidate of iterate(container, budget)) if (same(item, candidate, budget)) return true
    return false
  }
  throw typeFault(`argument of type '${typeName(container)}' is not iterable`)
}
