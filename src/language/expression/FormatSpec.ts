/** The format specification language of `format()` and f-strings: `[[fill]align][sign][#][0][width][,][.precision][type]`. */
import type { Budget } from "./Budget.ts"
import { cut } from "./Characters.ts"
import { typeFault, valueFault } from "./Fault.ts"
import { floatNotation, grouped, integerNotation } from "./NumberFormat.ts"
import { isFloat, isInteger, numeric, type Numeric, toNumber } from "./Numbers.ts"
import { type Alignment, pad } from "./Padding.ts"
import { show } from "./PythonText.ts"
import { type Runtime, textOf } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"
import { floatText } from "./FloatText.ts"

const form = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u

interface Spec {
  readonly fill: string
  readonly align: Alignment | "=" | undefined
  readonly sign: string
  readonly alternate: boolean
  readonly width: number
  readonly separator: string | undefined
  readonly precision: number | undefined
  readonly type: string | undefined
}

const read = (text: string, value: Runtime): Spec => {
  const match = form.exec(text)
  if (match === null) throw valueFault(`Invalid format specifier '${text}' for object of type '${typeName(value)}'`)
  const [, fill, align, sign, , alternate, zero, width, separator, precision, type] = match
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: (align as Spec["align"]) ?? (zero === undefined ? undefined : "="),
    sign: sign ?? "-",
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    separator,
    precision: precision === undefined ? undefined : Number(precision),
    type
  }
}

export const formatValue = (value: Runtime, text: string, budget: Budget): string => {
  if (text === "") return show(value, budget)
  const number = numeric(value)
  const spec = read(text, value)
  budget.allocate(spec.width + (spec.precision ?? 0))
  if (number !== undefined && (typeof value !== "boolean" || spec.type !== undefined))
    return formatNumber(number, spec, budget)
  const shown = textOf(value) ?? (typeof value === "boolean" ? show(value, budget) : undefined)
  if (shown === undefined) throw typeFault(`unsupported format string passed to ${typeName(value)}.__format__`)
  return formatText(shown, spec, budget)
}

const formatText = (text: string, spec: Spec, budget: Budget): string => {
  if (spec.type !== undefined && spec.type !== "s") throw unknownCode(spec.type, "str")
  if (spec.align === "=") throw valueFault("'=' alignment not allowed in string format specifier")
  const shown = spec.precision === undefined ? text : cut(text, 0, spec.precision)
  return pad(shown, { width: spec.width, fill: spec.fill, align: spec.align ?? "<" }, budget)
}

const unknownCode = (code: string, type: string) =>
  valueFault(`Unknown format code '${code}' for object of type '${type}'`)

const formatNumber = (value: Numeric, spec: Spec, budget: Budget): string => {
  const plain =
    isInteger(value) && (spec.type === undefined || "dbcoxXn".includes(spec.type))
      ? whole(value, spec)
      : fraction(value, spec)
  const negative = plain.startsWith("-")
  const sign = negative ? "-" : spec.sign === "-" ? "" : spec.sign
  const body = negative ? plain.slice(1) : plain
  const prefix = /^0[xXbo]/.exec(body)?.[0] ?? ""
  const size = spec.separator === "_" && spec.type !== undefined && "boxX".includes(spec.type) ? 4 : 3
  const digits = body.slice(prefix.length)
  const shown = spec.separator === undefined ? digits : grouped(digits, spec.separator, size)
  const align = spec.align ?? ">"
  if (align !== "=") return pad(sign + prefix + shown, { width: spec.width, fill: spec.fill, align }, budget)
  return (
    sign + prefix + pad(shown, { width: spec.width - sign.length - prefix.length, fill: spec.fill, align: ">" }, budget)
  )
}

const whole = (value: number | bigint, spec: Spec): string => {
  if (spec.precision !== undefined) throw valueFault("Precision not allowed in integer format specifier")
  if (spec.type === "c") return String.fromCodePoint(Math.min(0x10ffff, Math.max(0, Number(value))))
  return integerNotation(value, spec.type ?? "d", spec.alternate)
}

const fraction = (value: Numeric, spec: Spec): string => {
  const type = spec.type ?? ""
  const number = toNumber(value)
  if (type === "%") return `${floatNotation(number * 100, "f", spec.precision ?? 6, spec.alternate)}%`
  if (type === "n") return floatNotation(number, "g", spec.precision ?? 6, spec.alternate)
  if (type === "") return spec.precision === undefined ? floatText(number) : shortFloat(number, spec.precision)
  if (!"eEfFgG".includes(type)) throw unknownCode(type, isFloat(value) ? "float" : "int")
  return floatNotation(number, type, spec.precision ?? 6, spec.alternate)
}

/** Without a type a precision counts significant digits, and a result without an exponent keeps its point. */
const shortFloat = (value: number, precision: number): string => {
  const text = floatNotation(value, "g", precision, false)
  const integerDigits = /^-?(\d+)$/.exec(text)?.[1]
  if (integerDigits === undefined) return text
  if (integerDigits.length < precision) return `${text}.0`
  return floatNotation(value, "e", Math.max(0, precision - 1), false).replace(/\.?0*e/, "e")
}
