/**
 * `value.name`: the allow-list. A value has the attributes listed here and no others, so nothing of the host can be
 * reached; names that begin with two underscores do not exist.
 */
import { Float, integer } from "../../domain/Value.ts"
import { dictMethods, listMethods, tupleMethods } from "./ContainerMethods.ts"
import { Dict } from "./Dict.ts"
import { escapeText } from "./Html.ts"
import { boundMethod } from "./Method.ts"
import { isInteger, numeric } from "./Numbers.ts"
import { type Arguments, HostObject, List, Markup, Native, Range, type Runtime, Tuple, Undefined } from "./Runtime.ts"
import { stringMethods } from "./StringMethods.ts"

/** Texts put into HTML are escaped on the way in; what comes out is HTML. */
const markupMethod = (value: Markup, name: string): Native | undefined => {
  if (!stringMethods.has(name)) return undefined
  return new Native(name, (args, budget) => {
    const method = boundMethod(stringMethods, value.text, name)
    const result = method?.call(name === "join" ? args : escaped(args), budget) ?? null
    if (typeof result === "string") return new Markup(result)
    return result instanceof List
      ? List.of(result.items.map((item) => (typeof item === "string" ? new Markup(item) : item)))
      : result
  })
}

const escaped = ({ named, positional }: Arguments): Arguments => {
  const escape = (value: Runtime): Runtime => (typeof value === "string" ? escapeText(value) : value)
  return {
    positional: positional.map(escape),
    named: new Map(Array.from(named, ([key, value]) => [key, escape(value)]))
  }
}

const numberAttribute = (value: number | bigint | Float, name: string): Runtime | undefined => {
  const whole = isInteger(value)
  switch (name) {
    case "real":
      return value
    case "imag":
      return whole ? 0 : new Float(0)
    case "numerator":
      return whole ? value : undefined
    case "denominator":
      return whole ? 1 : undefined
    case "conjugate":
      return new Native(name, () => value)
    case "is_integer":
      return new Native(name, () => whole || value instanceof Float)
    case "bit_length":
      return whole ? new Native(name, () => bitLength(value)) : undefined
    default:
      return undefined
  }
}

const bitLength = (value: number | bigint): number => {
  const magnitude = BigInt(value < 0 ? -value : value)
  return magnitude === 0n ? 0 : magnitude.toString(2).length
}

const tupleAttribute = (tuple: Tuple, name: string): Runtime | undefined => {
  const index = tuple.names.indexOf(name)
  return index < 0 ? boundMethod(tupleMethods, tuple, name) : tuple.items[index]
}

const rangeAttribute = (range: Range, name: string): Runtime | undefined =>
  name === "start" || name === "stop" || name === "step" ? integer(BigInt(range[name])) : undefined

export const attributeOf = (value: Runtime, name: string): Runtime | undefined => {
  if (value instanceof Undefined) throw value.fault()
  if (name.startsWith("__")) return undefined
  if (typeof value === "string") return boundMethod(stringMethods, value, name)
  if (value instanceof Dict) return boundMethod(dictMethods, value, name)
  if (value instanceof List) return boundMethod(listMethods, value, name)
  if (value instanceof HostObject) return value.attribute(name)
  if (value instanceof Tuple) return tupleAttribute(value, name)
  if (value instanceof Markup) return markupMethod(value, name)
  if (value instanceof Range) return rangeAttribute(value, name)
  const number = numeric(value)
  return number === undefined ? undefined : numberAttribute(number, name)
}

/** The names an attribute could have been, for messages. */
export function* attributeNames(value: Runtime): Iterable<string> {
  if (value instanceof Dict) for (const key of value.keys()) if (typeof key === "string") yield key
  if (value instanceof Tuple) yield* value.names
  if (value instanceof HostObject) yield* value.attributeNames()
  if (typeof value === "string" || value instanceof Markup) yield* stringMethods.keys()
  if (value instanceof Dict) yield* dictMethods.keys()
  if (value instanceof List) yield* listMethods.keys()
}
