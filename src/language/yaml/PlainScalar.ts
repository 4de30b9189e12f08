/**
 * What an unquoted YAML scalar means: YAML 1.2 core as the reference reads it, so `yes` is text, `010` is ten, `1_000` is
 * a thousand, `1.0` is a float and `2024-01-01` is a date.
 */
import { float, integer, type Value } from "../../domain/Value.ts"

/** An unquoted date or time stamp. It is not text: a string field refuses it, and its author has to quote it. */
export class YamlDate {
  constructor(readonly text: string) {}
}

export type ScalarValue =
  null | boolean | number | bigint | string | Exclude<ReturnType<typeof float>, number> | YamlDate

const NULL = /^(?:~|null|Null|NULL|)$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const DECIMAL = /^[-+]?[0-9][0-9_]*$/
const RADIX = /^([-+]?)(0b[01_]*[01][01_]*|0o[0-7_]*[0-7][0-7_]*|0x[0-9a-fA-F_]*[0-9a-fA-F][0-9a-fA-F_]*)$/
const FLOAT =
  /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/
const DATE =
  /^\d{4}-(?:\d\d-\d\d|\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/

const decimal = (text: string): number | bigint => integer(BigInt(text.replace(/^\+/, "")))

const radix = (sign: string, digits: string): number | bigint => {
  const magnitude = BigInt(digits)
  return integer(sign === "-" ? -magnitude : magnitude)
}

/** Total: text that is no other kind of scalar is a string. */
export const plainScalar = (source: string): ScalarValue => {
  if (NULL.test(source)) return null
  if (TRUE.test(source)) return true
  if (FALSE.test(source)) return false
  if (DECIMAL.test(source)) return decimal(source.replaceAll("_", ""))
  const based = RADIX.exec(source)
  if (based !== null) return radix(based[1] ?? "", (based[2] ?? "").replaceAll("_", ""))
  if (FLOAT.test(source)) return float(Number(source.replaceAll("_", "")))
  if (INFINITE.test(source)) return source.startsWith("-") ? -Infinity : Infinity
  if (NOT_A_NUMBER.test(source)) return NaN
  return DATE.test(source) ? new YamlDate(source) : source
}

/** A date is its text wherever a value of any type may stand. */
export const scalarToValue = (scalar: ScalarValue): Value => (scalar instanceof YamlDate ? scalar.text : scalar)
