/** `'%s: %05.2f' % values`: the formatting operator of the host language. */
import type { Budget } from "./Budget.ts"
import { cut, lengthOf } from "./Characters.ts"
import { Dict } from "./Dict.ts"
import { typeFault, valueFault } from "./Fault.ts"
import { floatNotation, integerNotation } from "./NumberFormat.ts"
import { isInteger, numeric, toNumber } from "./Numbers.ts"
import { pad, type Padding } from "./Padding.ts"
import { quote, show } from "./PythonText.ts"
import { List, type Runtime, textOf, Tuple } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"

const placeholder = /%(?:\(([^)]*)\))?([-#0 +]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S])?/
const mostPrecision = 1_000_000

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly type: string
}

type Escape = (value: Runtime, text: string) => string

/** A tuple on the right holds several values, a map named ones; `escape` is applied to texts put into HTML. */
export const percentFormat = (format: string, right: Runtime, budget: Budget, escape: Escape): string => {
  const values = right instanceof Tuple ? right.items : [right]
  let used = 0
  const next = (): Runtime => {
    const value = values[used]
    if (value === undefined) throw typeFault("not enough arguments for format string")
    used += 1
    return value
  }
  const number = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined
    const value = text === "*" ? next() : Number(text)
    if (typeof value !== "number" || !Number.isInteger(value)) throw typeFault("* wants int")
    budget.allocate(Math.abs(value))
    return value
  }
  const replaced = (source: string): string => {
    budget.spend()
    const [, key, flags = "", width, precision, type] = placeholder.exec(source) ?? []
    const hasPrecision = precision !== undefined || /\.[hlL]?.?$/s.test(source)
    const directive: Directive = {
      flags,
      width: number(width) ?? 0,
      precision: number(precision) ?? (hasPrecision ? 0 : undefined),
      type: type ?? ""
    }
    if (directive.type === "") throw valueFault("incomplete format")
    if (directive.type === "%") return "%"
    const value = key === undefined ? next() : named(right, key)
    if (key !== undefined) used = values.length
    return write(value, directive, budget, escape)
  }
  const text = format.replace(new RegExp(placeholder, "g"), replaced)
  const mayIgnore = right instanceof Dict || right instanceof List
  if (used < values.length && !mayIgnore) throw typeFault("not all arguments converted during string formatting")
  return text
}

const named = (values: Runtime, key: string): Runtime => {
  if (!(values instanceof Dict)) throw typeFault("format requires a mapping")
  const value = values.get(key)
  if (value === undefined) throw valueFault(`no such key: '${key}'`)
  return value
}

const write = (value: Runtime, directive: Directive, budget: Budget, escape: Escape): string => {
  const { flags, precision, type } = directive
  const width = Math.abs(directive.width)
  const toLeft = flags.includes("-") || directive.width < 0
  const padding: Padding = { width, fill: " ", align: toLeft ? "<" : ">" }
  if ("sra".includes(type)) {
    const shown = type === "s" ? escape(value, show(value, budget)) : quote(value, budget)
    return pad(precision === undefined ? shown : cut(shown, 0, precision), padding, budget)
  }
  if (type === "c") return pad(character(value), padding, budget)
  const number = writeNumber(value, directive)
  const signed = number.startsWith("-") ? number : (flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + number
  if (!flags.includes("0") || toLeft) return pad(signed, padding, budget)
  const sign = /^[-+ ]?(?:0[xXo])?/.exec(signed)?.[0] ?? ""
  return sign + pad(signed.slice(sign.length), { width: width - sign.length, fill: "0", align: ">" }, budget)
}

const writeNumber = (value: Runtime, { flags, precision, type }: Directive): string => {
  const number = numeric(value)
  const isWhole = "diu".includes(type)
  if (isWhole || "oxX".includes(type)) {
    if (number === undefined) throw typeFault(`%${type} format: a real number is required, not ${typeName(value)}`)
    const whole = isInteger(number) ? number : isWhole ? truncate(toNumber(number)) : undefined
    if (whole === undefined) throw typeFault(`%${type} format: an integer is required, not ${typeName(value)}`)
    const text = integerNotation(whole, isWhole ? "d" : type, flags.includes("#"))
    const prefix = /^-?(?:0[xXo])?/.exec(text)?.[0] ?? ""
    return prefix + text.slice(prefix.length).padStart(precision ?? 0, "0")
  }
  if (!"eEfFgG".includes(type)) throw valueFault(`unsupported format character '${type}'`)
  if (number === undefined) throw typeFault(`must be real number, not ${typeName(value)}`)
  return floatNotation(toNumber(number), type, Math.min(precision ?? 6, mostPrecision), flags.includes("#"))
}

export const truncate = (value: number): number | bigint => {
  if (!Number.isFinite(value))
    throw valueFault(`cannot convert float ${Number.isNaN(value) ? "NaN" : "infinity"} to integer`)
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole)
}

const character = (value: Runtime): string => {
  const text = textOf(value)
  if (text !== undefined && lengthOf(text) === 1) return text
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0x10ffff)
    return String.fromCodePoint(value)
  throw typeFault("%c requires an int or a unicode character")
}
