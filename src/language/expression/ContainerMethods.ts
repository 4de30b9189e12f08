/** The methods of lists, tuples and maps. Those that change a value change the copy the expression works on. */
import { bind } from "./Arguments.ts"
import { compare, isTrue, same } from "./Comparison.ts"
import { Dict } from "./Dict.ts"
import { typeFault, valueFault } from "./Fault.ts"
import { collect, iterate } from "./Iteration.ts"
import { method, type MethodTable, type Values, variadic } from "./Method.ts"
import { requireInteger } from "./Numbers.ts"
import { DictView, List, type Runtime, Tuple } from "./Runtime.ts"
import { sorted } from "./Sorting.ts"
import type { Budget } from "./Budget.ts"

const indexOf = (items: ReadonlyArray<Runtime>, [value, start, stop]: Values, budget: Budget): number => {
  const end = Math.min(items.length, clampIndex(stop, items.length, items.length))
  for (let index = clampIndex(start, 0, items.length); index < end; index++) {
    if (same(items[index] ?? null, value ?? null, budget)) return index
  }
  throw valueFault("value is not in list")
}

const clampIndex = (value: Runtime | undefined, fallback: number, size: number): number => {
  const index = requireInteger(value, fallback, "index")
  return index < 0 ? Math.max(0, index + size) : index
}

const sequenceMethods = <Self extends List | Tuple>() =>
  [
    method<Self>("index", ["value", "start?", "stop?"], ({ items }, values, budget) => indexOf(items, values, budget)),
    method<Self>(
      "count",
      ["value"],
      ({ items }, [value], budget) => items.filter((item) => same(item, value ?? null, budget)).length
    )
  ] as const

export const tupleMethods: MethodTable<Tuple> = new Map(sequenceMethods<Tuple>())

/** Charged by what the list has grown to, so that growing without end is noticed. */
const append = (list: List, items: ReadonlyArray<Runtime>, budget: Budget): null => {
  budget.allocate(items.length)
  for (const item of items) list.items.push(item)
  return null
}

export const listMethods: MethodTable<List> = new Map([
  ...sequenceMethods<List>(),
  method("append", ["object"], (list, [value], budget) => append(list, [value ?? null], budget)),
  method("extend", ["iterable"], (list, [values], budget) => append(list, collect(values ?? null, budget), budget)),
  method("insert", ["index", "object"], ({ items }, [index, value], budget) => {
    budget.spend(items.length >> 6)
    items.splice(clampIndex(index, 0, items.length), 0, value ?? null)
    return null
  }),
  method("pop", ["index?"], ({ items }, [index]) => {
    if (items.length === 0) throw valueFault("pop from empty list")
    const at = requireInteger(index, -1, "index")
    const position = at < 0 ? at + items.length : at
    if (position < 0 || position >= items.length) throw valueFault("pop index out of range")
    return items.splice(position, 1)[0] ?? null
  }),
  method("remove", ["value"], ({ items }, [value], budget) => {
    items.splice(indexOf(items, [value], budget), 1)
    return null
  }),
  method("reverse", [], ({ items }) => {
    items.reverse()
    return null
  }),
  method("sort", ["key?", "reverse?"], (list, [key, reverse], budget) => {
    if (key !== undefined && key !== null) throw typeFault("sort() takes no key here; use the sort filter")
    const order = sorted(
      list.items,
      (left, right) => compare(left, right, "<", budget),
      reverse !== undefined && isTrue(reverse) ? "descending" : "ascending"
    )
    list.items.splice(0, list.items.length, ...order)
    return null
  }),
  method("clear", [], ({ items }) => {
    items.length = 0
    return null
  }),
  method("copy", [], ({ items }, _, budget) => {
    budget.allocate(items.length)
    return List.of([...items])
  })
])

const pairOf = (item: Runtime, budget: Budget): readonly [Runtime, Runtime] => {
  const [key, value, ...rest] = collect(item, budget)
  if (key === undefined || value === undefined || rest.length > 0) {
    throw valueFault("a map is made of pairs: an element has not exactly two items")
  }
  return [key, value]
}

/** The entries that `dict(...)` and `update(...)` take from a map or a list of pairs, and from named arguments. */
export const entriesFrom = (
  source: Runtime | undefined,
  named: ReadonlyMap<string, Runtime>,
  budget: Budget
): ReadonlyArray<readonly [Runtime, Runtime]> => {
  const entries: Array<readonly [Runtime, Runtime]> = []
  if (source instanceof Dict) entries.push(...Array.from(source.entries(), ([key, value]) => [key, value] as const))
  else if (source !== undefined) for (const item of iterate(source, budget)) entries.push(pairOf(item, budget))
  budget.allocate(entries.length + named.size)
  return [...entries, ...named]
}

/** `null` is a value like any other, so `??` would be wrong. */
const valueOr = (value: Runtime | undefined, fallback: Runtime): Runtime => (value === undefined ? fallback : value)

const keyFault = () => valueFault("no such key")

export const dictMethods: MethodTable<Dict> = new Map([
  method("keys", [], (dict) => new DictView(dict, "keys")),
  method("values", [], (dict) => new DictView(dict, "values")),
  method("items", [], (dict) => new DictView(dict, "items")),
  method("get", ["key", "default?"], (dict, [key, fallback]) => valueOr(dict.get(key ?? null), fallback ?? null)),
  method("pop", ["key", "default?"], (dict, [key, fallback]) => {
    const removed = dict.delete(key ?? null)
    if (removed === undefined && fallback === undefined) throw keyFault()
    return valueOr(removed, fallback ?? null)
  }),
  method("popitem", [], (dict) => {
    const last = Array.from(dict.keys()).at(-1)
    if (last === undefined) throw keyFault()
    return new Tuple([last, dict.delete(last) ?? null])
  }),
  method("setdefault", ["key", "default?"], (dict, [key, fallback]) => {
    const value = valueOr(dict.get(key ?? null), fallback ?? null)
    dict.set(key ?? null, value)
    return value
  }),
  variadic("update", (dict, args, budget) => {
    const [source] = bind("update", ["other?"], { positional: args.positional, named: new Map() })
    for (const [key, value] of entriesFrom(source, args.named, budget)) dict.set(key, value)
    return null
  }),
  method("clear", [], (dict) => {
    dict.clear()
    return null
  }),
  method("copy", [], (dict, _, budget) => {
    budget.allocate(dict.size)
    return Dict.of(dict.entries())
  })
])
