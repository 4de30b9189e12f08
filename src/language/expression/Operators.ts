/** The operators `+ - * / // % ** ~` on values of any kind. */
import type { Budget } from "./Budget.ts"
import { typeFault } from "./Fault.ts"
import { escapeHtml } from "./Html.ts"
import * as Numbers from "./Numbers.ts"
import { isInteger, numeric } from "./Numbers.ts"
import { percentFormat } from "./PercentFormat.ts"
import { show } from "./PythonText.ts"
import { List, Markup, type Runtime, textOf, Tuple, Undefined } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"

export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**"

const arithmetic: Record<Operator, (left: Numbers.Numeric, right: Numbers.Numeric) => Runtime> = {
  "+": Numbers.add,
  "-": Numbers.subtract,
  "*": Numbers.multiply,
  "/": Numbers.divide,
  "//": Numbers.floorDivide,
  "%": Numbers.modulo,
  "**": Numbers.power
}

export const binary = (operator: Operator, left: Runtime, right: Runtime, budget: Budget): Runtime => {
  if (left instanceof Undefined) throw left.fault()
  if (right instanceof Undefined) throw right.fault()
  const leftNumber = numeric(left)
  const rightNumber = numeric(right)
  if (leftNumber !== undefined && rightNumber !== undefined) {
    budget.spend(weight(leftNumber) + weight(rightNumber))
    return arithmetic[operator](leftNumber, rightNumber)
  }
  const result = onSequences(operator, left, right, budget)
  if (result !== undefined) return result
  throw typeFault(
    `unsupported operand type(s) for ${operator === "**" ? "** or pow()" : operator}: '${typeName(left)}' and '${typeName(right)}'`
  )
}

/** Large integers cost by their length. */
const weight = (value: Numbers.Numeric): number => (typeof value === "bigint" ? value.toString(16).length >> 3 : 0)

const onSequences = (operator: Operator, left: Runtime, right: Runtime, budget: Budget): Runtime | undefined => {
  switch (operator) {
    case "+":
      return concatenate(left, right, budget)
    case "*":
      return repeat(left, right, budget) ?? repeat(right, left, budget)
    case "%":
      return formatted(left, right, budget)
    default:
      return undefined
  }
}

const concatenate = (left: Runtime, right: Runtime, budget: Budget): Runtime | undefined => {
  const texts = concatenateTexts(left, right, budget)
  if (texts !== undefined) return texts
  if (left instanceof List && right instanceof List) {
    budget.allocate(left.items.length + right.items.length)
    budget.spend(right.items.length)
    return List.of([...left.items, ...right.items])
  }
  if (left instanceof Tuple && right instanceof Tuple) {
    budget.allocate(left.items.length + right.items.length)
    budget.spend(right.items.length)
    return new Tuple([...left.items, ...right.items])
  }
  return undefined
}

const concatenateTexts = (left: Runtime, right: Runtime, budget: Budget): Runtime | undefined => {
  const one = textOf(left)
  const two = textOf(right)
  if (one === undefined || two === undefined) return undefined
  const isMarkup = left instanceof Markup || right instanceof Markup
  const joined = isMarkup ? escapeHtml(left, one) + escapeHtml(right, two) : one + two
  budget.allocate(joined.length)
  return isMarkup ? new Markup(joined) : joined
}

const repeat = (value: Runtime, count: Runtime, budget: Budget): Runtime | undefined => {
  const times = typeof count === "boolean" ? Number(count) : count
  if (!isInteger(times)) return undefined
  const repetitions = times <= 0 ? 0 : Number(times)
  const text = textOf(value)
  if (text !== undefined) {
    budget.allocate(text.length * repetitions)
    const repeated = text.repeat(repetitions)
    return value instanceof Markup ? new Markup(repeated) : repeated
  }
  if (!(value instanceof List || value instanceof Tuple)) return undefined
  budget.allocate(value.items.length * repetitions)
  const items = Array.from(
    { length: value.items.length * repetitions },
    (_, index) => value.items[index % value.items.length] ?? null
  )
  return value instanceof List ? List.of(items) : new Tuple(items)
}

/** `'%s' % value`: a tuple holds several values, a map holds named ones. */
const formatted = (left: Runtime, right: Runtime, budget: Budget): Runtime | undefined => {
  const format = textOf(left)
  if (format === undefined) return undefined
  const escape = left instanceof Markup ? escapeHtml : (_: Runtime, text: string) => text
  const text = percentFormat(format, right, budget, escape)
  return left instanceof Markup ? new Markup(text) : text
}

export const negative = (value: Runtime): Runtime => Numbers.negate(operand("-", value))

export const positive = (value: Runtime): Runtime => operand("+", value)

const operand = (operator: string, value: Runtime): Numbers.Numeric => {
  if (value instanceof Undefined) throw value.fault()
  const number = numeric(value)
  if (number === undefined) throw typeFault(`bad operand type for unary ${operator}: '${typeName(value)}'`)
  return number
}

/** `~`: the printed forms in a row; with escaping on, plain texts beside HTML are escaped. */
export const join = (values: ReadonlyArray<Runtime>, escaping: boolean, budget: Budget): Runtime => {
  const asMarkup = escaping && values.some((value) => value instanceof Markup)
  let text = ""
  for (const value of values) {
    const shown = show(value, budget)
    text += asMarkup ? escapeHtml(value, shown) : shown
  }
  budget.allocate(text.length)
  return asMarkup ? new Markup(text) : text
}
