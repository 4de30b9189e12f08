/** `container[key]` and `container[start:stop:step]`. What is not there is `undefined`, never a failure. */
import type { Budget } from "./Budget.ts"
import { characters, lengthOf, cut } from "./Characters.ts"
import { Dict } from "./Dict.ts"
import { Fault, typeFault, valueFault } from "./Fault.ts"
import { List, Markup, Range, type Runtime, textOf, Tuple, Undefined } from "./Runtime.ts"

const position = (key: Runtime, size: number): number | undefined => {
  const index = typeof key === "boolean" ? Number(key) : key
  if (typeof index !== "number" || !Number.isInteger(index)) return undefined
  const found = index < 0 ? index + size : index
  return found >= 0 && found < size ? found : undefined
}

const entryOf = (dict: Dict, key: Runtime): Runtime | undefined => {
  try {
    return dict.get(key)
  } catch (cause) {
    // A key that cannot be hashed is not in the map.
    if (cause instanceof Fault && cause.kind === "type") return undefined
    throw cause
  }
}

export const itemOf = (container: Runtime, key: Runtime, budget: Budget): Runtime | undefined => {
  if (container instanceof Dict) return entryOf(container, key)
  if (container instanceof Undefined) throw container.fault()
  if (container instanceof List || container instanceof Tuple) {
    const index = position(key, container.items.length)
    return index === undefined ? undefined : container.items[index]
  }
  if (container instanceof Range) {
    const index = position(key, container.length)
    return index === undefined ? undefined : container.at(index)
  }
  const text = textOf(container)
  if (text === undefined) return undefined
  const index = position(key, lengthOf(text))
  if (index === undefined) return undefined
  budget.spend(text.length >> 6)
  return like(container, cut(text, index, index + 1))
}

const like = (original: Runtime, text: string): Runtime => (original instanceof Markup ? new Markup(text) : text)

const bound = (value: Runtime | undefined): number | undefined => {
  if (value === undefined || value === null) return undefined
  if (value instanceof Undefined) throw value.fault()
  if (typeof value === "boolean") return Number(value)
  if (typeof value === "bigint") return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
  if (typeof value === "number" && Number.isInteger(value)) return value
  throw typeFault("slice indices must be integers or None")
}

export interface Bounds {
  readonly start: Runtime | undefined
  readonly stop: Runtime | undefined
  readonly step: Runtime | undefined
}

/** The first index, how many, and the step of a slice over `size` items. */
const selection = (bounds: Bounds, size: number): { first: number; count: number; step: number } => {
  const step = bound(bounds.step) ?? 1
  if (step === 0) throw valueFault("slice step cannot be zero")
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1]
  const clamp = (value: number) => Math.min(high, Math.max(low, value < 0 ? value + size : value))
  const [start, stop] = [bound(bounds.start), bound(bounds.stop)]
  const first = start === undefined ? (step > 0 ? low : high) : clamp(start)
  const last = stop === undefined ? (step > 0 ? high : low) : clamp(stop)
  return { first, count: Math.max(0, Math.ceil((last - first) / step)), step }
}

const pick = <A>(items: ReadonlyArray<A>, bounds: Bounds): Array<A> => {
  const { count, first, step } = selection(bounds, items.length)
  if (step === 1) return items.slice(first, first + count)
  return items.filter(
    (_, index) => (index - first) / step >= 0 && (index - first) % step === 0 && (index - first) / step < count
  )
}

const ordered = <A>(items: ReadonlyArray<A>, bounds: Bounds): Array<A> => {
  const picked = pick(items, bounds)
  return (bound(bounds.step) ?? 1) < 0 ? picked.reverse() : picked
}

/** `undefined` for values that cannot be cut. */
export const sliceOf = (container: Runtime, bounds: Bounds, budget: Budget): Runtime | undefined => {
  if (container instanceof Undefined) throw container.fault()
  if (container instanceof List || container instanceof Tuple) {
    const items = ordered(container.items, bounds)
    budget.spend(items.length)
    budget.allocate(items.length)
    return container instanceof List ? List.of(items) : new Tuple(items)
  }
  if (container instanceof Range) {
    const { count, first, step } = selection(bounds, container.length)
    const start = container.at(first)
    return new Range(start, start + count * step * container.step, step * container.step)
  }
  const text = textOf(container)
  if (text === undefined) return undefined
  budget.allocate(text.length)
  return like(container, ordered(characters(text), bounds).join(""))
}
