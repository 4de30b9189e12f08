/** Number notations shared by `%` formatting, `format()` and f-strings. */
import { exponentDigits, fixed, floatText } from "./FloatText.ts"

const unusual = (value: number): string | undefined => (Number.isFinite(value) ? undefined : floatText(value))

/** `1.50e+03`. */
const exponential = (value: number, precision: number): string => {
  const [mantissa = "", exponent = "0"] = value.toExponential(Math.min(precision, 100)).split("e")
  return `${Object.is(value, -0) ? "-" : ""}${mantissa}e${exponentDigits(Number(exponent))}`
}

const withoutZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)

/** The shorter of fixed and exponential, with `precision` significant digits. */
const general = (value: number, precision: number, zeros: "keep" | "drop"): string => {
  const digits = Math.max(1, Math.min(precision, 100))
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split("e")[1])
  const trim = zeros === "keep" ? (text: string) => text : withoutZeros
  if (exponent >= -4 && exponent < digits) return trim(fixed(value, digits - 1 - exponent))
  const [mantissa = "", suffix = ""] = exponential(value, digits - 1).split("e")
  return `${trim(mantissa)}e${suffix}`
}

/** `type` is one of e, f, g in either case; an upper-case type gives an upper-case result. */
export const floatNotation = (value: number, type: string, precision: number, alternate: boolean): string => {
  const lower = type.toLowerCase()
  const text =
    unusual(value) ??
    (lower === "f"
      ? fixed(value, precision)
      : lower === "e"
        ? exponential(value, precision)
        : general(value, precision, alternate ? "keep" : "drop"))
  return type === lower ? text : text.toUpperCase()
}

const radixes: ReadonlyMap<string, readonly [number, string]> = new Map([
  ["b", [2, "0b"]],
  ["o", [8, "0o"]],
  ["x", [16, "0x"]],
  ["X", [16, "0X"]]
])

/** `type` is b, o, x, X or anything else for decimal; `alternate` adds the prefix. */
export const integerNotation = (value: number | bigint, type: string, alternate: boolean): string => {
  const [radix, prefix] = radixes.get(type) ?? [10, ""]
  const digits = (value < 0 ? -value : value).toString(radix)
  return `${value < 0 ? "-" : ""}${alternate ? prefix : ""}${type === "X" ? digits.toUpperCase() : digits}`
}

/** Puts a separator between groups of the integer digits that open `text`. */
export const grouped = (text: string, separator: string, size: number): string =>
  text.replace(/^\d+|^[\da-fA-F]+/, (digits) => {
    const groups: Array<string> = []
    for (let end = digits.length; end > 0; end -= size) groups.unshift(digits.slice(Math.max(0, end - size), end))
    return groups.join(separator)
  })
