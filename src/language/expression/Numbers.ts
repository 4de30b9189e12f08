/**
 * Arithmetic on the number kinds of `Value`: unbounded integers, floats, and booleans that count as 0 and 1.
 * Results keep the kinds apart: `4 / 2` is the float 2.0, `4 // 2` the integer 2.
 */
import { Float, float, integer } from "../../domain/Value.ts"
import { budgetFault, typeFault, valueFault } from "./Fault.ts"
import type { Runtime } from "./Runtime.ts"

export type Numeric = number | bigint | Float

/** Longest integer an operation may build, in bits: far beyond use, small enough to compute at once. */
const mostBits = 1 << 18

/** The number a value counts as in arithmetic, or `undefined`. */
export const numeric = (value: Runtime): Numeric | undefined => {
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Float) return value
  return typeof value === "boolean" ? (value ? 1 : 0) : undefined
}

export const isFloat = (value: Runtime): value is number | Float =>
  value instanceof Float || (typeof value === "number" && !Number.isInteger(value))

export const isInteger = (value: Runtime): value is number | bigint =>
  typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))

export const toNumber = (value: Numeric): number => {
  if (typeof value === "number") return value
  if (value instanceof Float) return value.value
  const converted = Number(value)
  if (!Number.isFinite(converted)) throw valueFault("int too large to convert to float")
  return converted
}

const toBigInt = (value: Numeric): bigint => (typeof value === "bigint" ? value : BigInt(toNumber(value)))

const bits = (value: bigint): number => (value < 0n ? -value : value).toString(16).length * 4

const bounded = (value: bigint): number | bigint => {
  if (typeof integer(value) === "bigint" && bits(value) > mostBits)
    throw budgetFault(`an integer of more than ${mostBits} bits`)
  return integer(value)
}

const eitherFloat = (left: Numeric, right: Numeric): boolean => isFloat(left) || isFloat(right)

/** Small integers stay on the fast path; a result that is not safe is computed again without loss. */
const arithmetic =
  (onNumbers: (left: number, right: number) => number, onIntegers: (left: bigint, right: bigint) => bigint) =>
  (left: Numeric, right: Numeric): Numeric => {
    if (eitherFloat(left, right)) return float(onNumbers(toNumber(left), toNumber(right)))
    if (typeof left === "number" && typeof right === "number") {
      const result = onNumbers(left, right)
      if (Number.isSafeInteger(result)) return result + 0
    }
    return bounded(onIntegers(toBigInt(left), toBigInt(right)))
  }

export const add = arithmetic(
  (left, right) => left + right,
  (left, right) => left + right
)

export const subtract = arithmetic(
  (left, right) => left - right,
  (left, right) => left - right
)

export const multiply = arithmetic(
  (left, right) => left * right,
  (left, right) => left * right
)

const isZero = (value: Numeric): boolean => (typeof value === "bigint" ? value === 0n : toNumber(value) === 0)

export const divide = (left: Numeric, right: Numeric): Numeric => {
  if (isZero(right)) throw valueFault(eitherFloat(left, right) ? "float division by zero" : "division by zero")
  return float(toNumber(left) / toNumber(right))
}

/** The remainder has the sign of the divisor. */
const floatModulo = (left: number, right: number): number => {
  const remainder = left % right
  if (remainder === 0) return right < 0 ? -0 : 0
  return remainder < 0 !== right < 0 ? remainder + right : remainder
}

const floatFloorDivide = (left: number, right: number): number => {
  const quotient = (left - floatModulo(left, right)) / right
  const floor = Math.floor(quotient)
  return quotient - floor > 0.5 ? floor + 1 : floor
}

const integerModulo = (left: bigint, right: bigint): bigint => {
  const remainder = left % right
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder
}

export const modulo = (left: Numeric, right: Numeric): Numeric => {
  if (isZero(right)) throw valueFault(eitherFloat(left, right) ? "float modulo by zero" : "integer modulo by zero")
  return eitherFloat(left, right)
    ? float(floatModulo(toNumber(left), toNumber(right)))
    : integer(integerModulo(toBigInt(left), toBigInt(right)))
}

export const floorDivide = (left: Numeric, right: Numeric): Numeric => {
  if (isZero(right)) {
    throw valueFault(eitherFloat(left, right) ? "float floor division by zero" : "integer division or modulo by zero")
  }
  if (eitherFloat(left, right)) return float(floatFloorDivide(toNumber(left), toNumber(right)))
  const [dividend, divisor] = [toBigInt(left), toBigInt(right)]
  return integer((dividend - integerModulo(dividend, divisor)) / divisor)
}

const floatPower = (base: number, exponent: number): Numeric => {
  if (base === 0 && exponent < 0) throw valueFault("0.0 cannot be raised to a negative power")
  if (base < 0 && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw valueFault("a negative number cannot be raised to a fractional power: complex numbers are not supported")
  }
  // Of the host language 1 ** nan is 1, of JavaScript it is NaN.
  const result =
    base === 1 ? 1 : base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent) ? 1 : base ** exponent
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw valueFault("Numerical result out of range")
  }
  return float(result)
}

export const power = (base: Numeric, exponent: Numeric): Numeric => {
  if (eitherFloat(base, exponent)) return floatPower(toNumber(base), toNumber(exponent))
  const [left, right] = [toBigInt(base), toBigInt(exponent)]
  if (right < 0n) return floatPower(toNumber(base), toNumber(exponent))
  const isUnit = left === 0n || left === 1n || left === -1n
  if (!isUnit && BigInt(bits(left)) * right > BigInt(mostBits))
    throw budgetFault(`an integer of more than ${mostBits} bits`)
  return integer(left ** (isUnit && right > 2n ? 2n + (right % 2n) : right))
}

export const negate = (value: Numeric): Numeric => {
  if (isFloat(value)) return float(-toNumber(value))
  return typeof value === "bigint" ? integer(-value) : 0 - value
}

/** The value of an index, count or width: integers and booleans only. */
export const requireInteger = (value: Runtime | undefined, fallback: number, what: string): number => {
  if (value === undefined || value === null) return fallback
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "bigint") throw valueFault(`${what} is too large`)
  if (typeof value === "number" && Number.isInteger(value)) return value
  throw typeFault(`${what} must be an integer`)
}

/** `&`, `|`, `^`, `<<` and `>>` on integers; two booleans stay a boolean where the host language keeps them. */
export const bitwise = (
  operator: "&" | "|" | "^" | "<<" | ">>",
  left: Runtime,
  right: Runtime
): Runtime | undefined => {
  const [first, second] = [numeric(left), numeric(right)]
  if (first === undefined || second === undefined || eitherFloat(first, second)) return undefined
  const [one, two] = [toBigInt(first), toBigInt(second)]
  const keep = (result: bigint): Runtime =>
    typeof left === "boolean" && typeof right === "boolean" ? result === 1n : integer(result)
  switch (operator) {
    case "&":
      return keep(one & two)
    case "|":
      return keep(one | two)
    case "^":
      return keep(one ^ two)
    case "<<":
    case ">>": {
      if (two < 0n) throw valueFault("negative shift count")
      if (two > 10_000n) throw budgetFault("a shift by more than 10000 bits")
      return operator === "<<" ? bounded(one << two) : integer(one >> two)
    }
  }
}
