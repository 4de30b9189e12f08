/** Reads numbers from text as the host language of the format does: surrounding blanks, `1_000`, digits of any script. */
import { float, integer, type Float } from "../../domain/Value.ts"
import { strip } from "./Characters.ts"

const digit = /\p{Nd}/u

/** Any decimal digit as `0` to `9`. */
const plainDigits = (text: string): string => {
  if (!/\P{ASCII}/u.test(text)) return text
  return Array.from(text, (character) => (digit.test(character) ? String(digitValue(character)) : character)).join("")
}

/** Every run of decimal digits in Unicode starts with a zero; scripts that follow without a gap do so in steps of ten. */
const digitValue = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  let start = code
  while (start > 0 && digit.test(String.fromCodePoint(start - 1))) start -= 1
  return (code - start) % 10
}

const alphabets: ReadonlyMap<number, RegExp> = new Map([
  [2, /^(?:0b_?)?[01](?:_?[01])*$/i],
  [8, /^(?:0o_?)?[0-7](?:_?[0-7])*$/i],
  [10, /^\d(?:_?\d)*$/],
  [16, /^(?:0x_?)?[\da-f](?:_?[\da-f])*$/i]
])
const prefixes: ReadonlyMap<number, string> = new Map([
  [2, "0b"],
  [8, "0o"],
  [16, "0x"]
])

/** The host language reads no longer integers from text. */
const mostDigits = 4300

const unsigned = (text: string, base: number): bigint | undefined => {
  if (alphabets.get(base)?.test(text) !== true) return undefined
  const digits = text.replaceAll("_", "").toLowerCase()
  const prefix = prefixes.get(base)
  if (prefix === undefined) return digits.length > mostDigits ? undefined : BigInt(digits)
  return BigInt(digits.startsWith(prefix) ? digits : prefix + digits)
}

const otherBase = (text: string, base: number): bigint | undefined => {
  if (!/^[\da-z](?:_?[\da-z])*$/i.test(text)) return undefined
  let total = 0n
  for (const character of text.replaceAll("_", "")) {
    const value = Number.parseInt(character, 36)
    if (value >= base) return undefined
    total = total * BigInt(base) + BigInt(value)
  }
  return total
}

const anyBase = (text: string): bigint | undefined => {
  const base = /^0x/i.test(text) ? 16 : /^0o/i.test(text) ? 8 : /^0b/i.test(text) ? 2 : 10
  return base === 10 && /^0[\d_]*[1-9]/.test(text) ? undefined : unsigned(text, base)
}

/** `base` 0 reads prefixes; otherwise 2 to 36. */
export const parseInteger = (text: string, base = 10): number | bigint | undefined => {
  const match = /^([+-]?)(.+)$/s.exec(plainDigits(strip(text)))
  const body = match?.[2]
  if (body === undefined || body.length > 100_000) return undefined
  const size = base === 0 ? anyBase(body) : alphabets.has(base) ? unsigned(body, base) : otherBase(body, base)
  return size === undefined ? undefined : integer(match?.[1] === "-" ? -size : size)
}

const floatForm = /^[+-]?(?:(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?)(?:e[+-]?\d(?:_?\d)*)?$/i
const wordForm = /^([+-]?)(inf|infinity|nan)$/i

export const parseFloatText = (text: string): number | Float | undefined => {
  const plain = plainDigits(strip(text))
  const word = wordForm.exec(plain)
  if (word !== null) {
    if (word[2]?.toLowerCase() === "nan") return Number.NaN
    return word[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  if (!floatForm.test(plain) || !/^[+-]?(?:\d|\.\d)/.test(plain)) return undefined
  return float(Number(plain.replaceAll("_", "")))
}
