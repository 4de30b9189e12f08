/** Filters on numbers, and those that make numbers of other values. */
import { Float, float } from "../../domain/Value.ts"
import { isTrue } from "../expression/Comparison.ts"
import { Fault, typeFault, valueFault } from "../expression/Fault.ts"
import { fixed, roundTo } from "../expression/FloatText.ts"
import { isFloat, negate, numeric, type Numeric, requireInteger, toNumber } from "../expression/Numbers.ts"
import { parseFloatText, parseInteger } from "../expression/NumberText.ts"
import { truncate } from "../expression/PercentFormat.ts"
import { type Runtime, textOf, Undefined } from "../expression/Runtime.ts"
import { typeName } from "../expression/TypeName.ts"
import { filter, type Filter } from "./Filter.ts"

const need = (value: Runtime, what: string): Numeric => {
  if (value instanceof Undefined) throw value.fault()
  const number = numeric(value)
  if (number === undefined) throw typeFault(`bad operand type for ${what}: '${typeName(value)}'`)
  return number
}

const absolute = (value: Runtime): Runtime => {
  const number = need(value, "abs()")
  const isNegative = typeof number === "bigint" ? number < 0n : toNumber(number) < 0 || Object.is(toNumber(number), -0)
  return isNegative ? negate(number) : number
}

/** Ties go to the even neighbour; integers stay integers. */
const roundInteger = (value: number | bigint, precision: number): Runtime => {
  if (precision >= 0) return value
  if (-precision > 400) return 0
  const unit = 10n ** BigInt(-precision)
  const whole = BigInt(value)
  const rest = ((whole % unit) + unit) % unit
  const floor = whole - rest
  const isUp = rest * 2n > unit || (rest * 2n === unit && (floor / unit) % 2n !== 0n)
  const rounded = isUp ? floor + unit : floor
  return Number.isSafeInteger(Number(rounded)) ? Number(rounded) : rounded
}

const round = (value: Runtime, precision: number, method: string): Runtime => {
  if (method !== "common" && method !== "ceil" && method !== "floor") {
    throw valueFault("method must be common, ceil or floor")
  }
  const number = need(value, "round()")
  if (method === "common") {
    return isFloat(number)
      ? float(roundTo(toNumber(number), precision))
      : roundInteger(number as number | bigint, precision)
  }
  const scale = 10 ** precision
  const scaled = toNumber(number) * scale
  if (!Number.isFinite(scaled)) throw valueFault("cannot convert float infinity to integer")
  return float((method === "ceil" ? Math.ceil(scaled) : Math.floor(scaled)) / scale)
}

const wholeOf = (value: Runtime, base: number): Runtime | undefined => {
  const text = textOf(value)
  if (text !== undefined) {
    const whole = parseInteger(text, base)
    if (whole !== undefined) return whole
    const fraction = parseFloatText(text)
    return fraction === undefined || !Number.isFinite(Number(fraction)) ? undefined : truncate(Number(fraction))
  }
  const number = numeric(value)
  if (number === undefined) return undefined
  return isFloat(number) ? wholeOfFloat(toNumber(number)) : number
}

const wholeOfFloat = (value: number): Runtime | undefined => (Number.isNaN(value) ? undefined : truncate(value))

const toInteger = (value: Runtime, fallback: Runtime, base: number): Runtime => {
  if (value instanceof Undefined) throw value.fault()
  const whole = wholeOf(value, base)
  return whole === undefined ? fallback : whole
}

const toFloat = (value: Runtime, fallback: Runtime): Runtime => {
  if (value instanceof Undefined) throw value.fault()
  const text = textOf(value)
  const number = text === undefined ? numeric(value) : parseFloatText(text)
  return number === undefined ? fallback : float(toNumber(number))
}

const prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"]

const fileSize = (bytes: number, isBinary: boolean): string => {
  const base = isBinary ? 1024 : 1000
  if (bytes === 1) return "1 Byte"
  if (bytes < base) return `${truncate(bytes)} Bytes`
  const index = prefixes.findIndex((_, power) => bytes < base ** (power + 2))
  const power = index < 0 ? prefixes.length - 1 : index
  const prefix = prefixes[power] ?? ""
  return `${fixed((base * bytes) / base ** (power + 2), 1)} ${isBinary ? `${prefix.toUpperCase()}iB` : `${prefix}B`}`
}

const size = (value: Runtime): number => {
  const number = toFloat(value, null)
  if (number === null) {
    if (textOf(value) === undefined)
      throw typeFault(`float() argument must be a string or a number, not '${typeName(value)}'`)
    throw valueFault("could not convert string to float")
  }
  return number instanceof Float ? number.value : Number(number)
}

export const numberFilters: ReadonlyArray<readonly [string, Filter]> = [
  filter("abs", [], absolute),
  filter("round", ["precision?", "method?"], (value, [precision, method]) =>
    round(value, requireInteger(precision, 0, "precision"), method === undefined ? "common" : (textOf(method) ?? ""))
  ),
  filter("int", ["default?", "base?"], (value, [fallback, base]) => {
    const radix = requireInteger(base, 10, "base")
    if (radix !== 0 && (radix < 2 || radix > 36)) throw new Fault("other", "int() base must be >= 2 and <= 36, or 0")
    return toInteger(value, fallback ?? (fallback === null ? null : 0), radix)
  }),
  filter("float", ["default?"], (value, [fallback]) =>
    toFloat(value, fallback === undefined ? new Float(0) : fallback)
  ),
  filter("filesizeformat", ["binary?"], (value, [binary]) =>
    fileSize(size(value), binary !== undefined && isTrue(binary))
  )
]
