/**
 * The map of the language: insertion order, keys of any hashable kind, and `1`, `1.0` and `true` are one key.
 */
import { Float } from "../../domain/Value.ts"
import { budgetFault, typeFault } from "./Fault.ts"
import { HostObject, Markup, type Runtime, Tuple, Undefined } from "./Runtime.ts"

/** Of tuples in tuples. */
const MAX_KEY_DEPTH = 100

type Slot = null | string | number | bigint | HostObject

/** Texts that begin with NUL are prefixed, so that the slots of tuples can begin with NUL too. */
const slotOf = (key: Runtime, depth = 0): Slot => {
  if (key === null || typeof key === "bigint") return key
  if (typeof key === "string") return key.startsWith("\0") ? `\0s${key}` : key
  if (key instanceof Markup) return slotOf(key.text, depth)
  if (typeof key === "boolean") return key ? 1 : 0
  if (typeof key === "number") return key
  if (key instanceof Float) return Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value)
  if (key instanceof Tuple) return `\0t${key.items.map((item) => tupleSlot(item, depth + 1)).join("")}`
  if (key instanceof Undefined && key.mode === "strict") throw key.fault()
  if (key instanceof HostObject) return key
  throw typeFault("only texts, numbers, booleans, none and tuples of them can be keys")
}

const tupleSlot = (item: Runtime, depth: number): string => {
  if (depth > MAX_KEY_DEPTH) throw budgetFault(`a key nested more than ${MAX_KEY_DEPTH} levels deep`)
  const slot = slotOf(item, depth)
  if (slot instanceof HostObject) throw typeFault(`unhashable type: '${slot.type}'`)
  const text = String(slot)
  return `${typeof slot === "string" ? "s" : slot === null ? "z" : "n"}${text.length}:${text}`
}

export class Dict {
  #load: (() => Iterable<readonly [Runtime, Runtime]>) | undefined
  readonly #slots = new Map<Slot, [Runtime, Runtime]>()

  /** The entries are loaded on first touch. */
  static lazy(load: () => Iterable<readonly [Runtime, Runtime]>): Dict {
    const dict = new Dict()
    dict.#load = load
    return dict
  }

  static of(entries: Iterable<readonly [Runtime, Runtime]>): Dict {
    const dict = new Dict()
    for (const [key, value] of entries) dict.set(key, value)
    return dict
  }

  #touched(): Map<Slot, [Runtime, Runtime]> {
    const load = this.#load
    if (load !== undefined) {
      this.#load = undefined
      for (const [key, value] of load()) this.#slots.set(slotOf(key), [key, value])
    }
    return this.#slots
  }

  get size(): number {
    return this.#touched().size
  }

  get(key: Runtime): Runtime | undefined {
    return this.#touched().get(slotOf(key))?.[1]
  }

  has(key: Runtime): boolean {
    return this.#touched().has(slotOf(key))
  }

  set(key: Runtime, value: Runtime): void {
    const slots = this.#touched()
    const slot = slotOf(key)
    const entry = slots.get(slot)
    if (entry === undefined) slots.set(slot, [key, value])
    else entry[1] = value
  }

  delete(key: Runtime): Runtime | undefined {
    const slots = this.#touched()
    const slot = slotOf(key)
    const entry = slots.get(slot)
    slots.delete(slot)
    return entry?.[1]
  }

  clear(): void {
    this.#touched().clear()
  }

  entries(): IterableIterator<[Runtime, Runtime]> {
    return this.#touched().values()
  }

  *keys(): IterableIterator<Runtime> {
    for (const [key] of this.entries()) yield key
  }
}

/** Whether a value is seen for the first time among those given before; the rules of map keys apply. */
export const distinct = (): ((value: Runtime) => boolean) => {
  const seen = new Set<Slot>()
  return (value) => {
    const slot = slotOf(value)
    if (seen.has(slot)) return false
    seen.add(slot)
    return true
  }
}
