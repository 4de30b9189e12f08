/** Floats as text: the shortest form that reads back the same, and fixed forms that round a tie to the even digit. */

/** `1.0`, `1e+16`, `1e-05`, `nan`: the notation of the language the workflow format comes from. */
export const floatText = (value: number): string => {
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  if (Object.is(value, -0)) return "-0.0"
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e")
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 16) return `${mantissa}e${exponentDigits(exponent)}`
  return Number.isInteger(value) ? `${value}.0` : plain(value)
}

/** A sign and at least two digits. */
export const exponentDigits = (exponent: number): string =>
  `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`

/** JavaScript changes to exponents below 1e-6, the workflow language below 1e-4. */
const plain = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text
}

/** `digits` decimals, ties to even; JavaScript's own `toFixed` rounds ties away from zero. */
export const fixed = (value: number, digits: number): string => {
  const magnitude = Math.abs(value)
  const sign = value < 0 || Object.is(value, -0) ? "-" : ""
  if (magnitude >= 1e21) return `${sign}${BigInt(magnitude)}${digits > 0 ? `.${"0".repeat(digits)}` : ""}`
  const shown = Math.min(digits, 100)
  const rounded = magnitude.toFixed(shown)
  const exact = magnitude.toFixed(Math.min(100, shown + 30))
  const tail = exact.slice(shown === 0 ? exact.indexOf(".") + 1 : exact.indexOf(".") + 1 + shown)
  const isTie = /^50*$/.test(tail)
  const lastDigit = Number(rounded.at(-1))
  const text = isTie && lastDigit % 2 === 1 ? exact.slice(0, exact.length - tail.length).replace(/\.$/, "") : rounded
  return `${sign}${text}${"0".repeat(digits - shown)}`
}

/** Rounded to `digits` decimals (negative: to tens, hundreds, ...), ties to even. */
export const roundTo = (value: number, digits: number): number => {
  if (!Number.isFinite(value) || digits > 100 || Math.abs(value) >= 1e21) return value
  if (digits >= 0) return Number(fixed(value, digits))
  if (digits < -308) return 0 * value
  const unit = 10n ** BigInt(-digits)
  const whole = BigInt(Math.trunc(Math.abs(value)))
  const rest = whole % unit
  const fraction = Math.abs(value) % 1 > 0
  const twice = rest * 2n
  const up = twice > unit || (twice === unit && (fraction || (whole / unit) % 2n === 1n))
  const rounded = Number(whole - rest + (up ? unit : 0n))
  return value < 0 ? -rounded : rounded
}
