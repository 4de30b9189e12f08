/** Filters on sequences and maps. Those that the reference computes lazily are lazy here too. */
import { float } from "../../domain/Value.ts"
import type { Budget } from "../expression/Budget.ts"
import { compare, isTrue, same } from "../expression/Comparison.ts"
import { Dict, distinct } from "../expression/Dict.ts"
import { typeFault, valueFault } from "../expression/Fault.ts"
import { collect, isIterable, iterate, length } from "../expression/Iteration.ts"
import type { Values } from "../expression/Method.ts"
import { isFloat, numeric, requireInteger, toNumber } from "../expression/Numbers.ts"
import { binary } from "../expression/Operators.ts"
import { show } from "../expression/PythonText.ts"
import {
  DictView,
  Generator,
  List,
  Markup,
  Range,
  type Runtime,
  textOf,
  Tuple,
  Undefined
} from "../expression/Runtime.ts"
import { type Direction, sorted } from "../expression/Sorting.ts"
import { typeName } from "../expression/TypeName.ts"
import { escapeHtml } from "../expression/Html.ts"
import { filter, type Filter, type Host } from "./Filter.ts"
import { caseRule, getter, type Getter, multipleGetter } from "./Selection.ts"

const isSet = (value: Runtime | undefined): boolean => value !== undefined && isTrue(value)

const directionOf = (reverse: Runtime | undefined): Direction => (isSet(reverse) ? "descending" : "ascending")

const lazy = (make: () => Iterator<Runtime>): Generator => {
  let iterator: Iterator<Runtime> | undefined
  return new Generator({ next: () => (iterator ??= make()).next() })
}

interface Keyed {
  readonly item: Runtime
  readonly key: Runtime
}

const keyedItems = (value: Runtime, key: Getter, budget: Budget): ReadonlyArray<Keyed> =>
  collect(value, budget).map((item) => ({ item, key: key(item) }))

const sortBy = (items: ReadonlyArray<Keyed>, direction: Direction, budget: Budget): ReadonlyArray<Keyed> =>
  sorted(items, (left, right) => compare(left.key, right.key, "<", budget), direction)

const extreme = (name: "min" | "max"): readonly [string, Filter] =>
  filter(name, ["case_sensitive?", "attribute?"], (value, [sensitive, attribute], { budget }) => {
    const get = getter(attribute, budget)
    const rule = caseRule(isSet(sensitive))
    let best: Keyed | undefined
    for (const item of iterate(value, budget)) {
      const key = rule(get(item))
      const order = best === undefined ? -1 : compare(key, best.key, name === "max" ? ">" : "<", budget)
      if (best === undefined || (name === "max" ? order > 0 : order < 0)) best = { item, key }
    }
    return best === undefined ? new Undefined("No aggregated item, sequence was empty.") : best.item
  })

/** Floats are added with a correction term, as the host language does since its version 3.12. */
const sum = (items: Iterable<Runtime>, start: Runtime, budget: Budget): Runtime => {
  let total: Runtime = start
  let correction = 0
  for (const item of items) {
    const [left, right] = [numeric(total), numeric(item)]
    const added: Runtime = binary("+", total, item, budget)
    if (left !== undefined && right !== undefined && isFloat(added)) {
      const [one, two, result] = [toNumber(left), toNumber(right), toNumber(added)]
      correction += Math.abs(one) >= Math.abs(two) ? one - result + two : two - result + one
    }
    total = added
  }
  return correction !== 0 && Number.isFinite(correction) && isFloat(total) ? float(toNumber(total) + correction) : total
}

const batches = function* (value: Runtime, size: number, fill: Runtime, budget: Budget): Iterator<Runtime> {
  let batch: Array<Runtime> = []
  for (const item of iterate(value, budget)) {
    if (batch.length === size) {
      yield List.of(batch)
      batch = []
    }
    batch.push(item)
  }
  if (batch.length === 0) return
  if (fill !== null && batch.length < size) {
    budget.allocate(size)
    while (batch.length < size) batch.push(fill)
  }
  yield List.of(batch)
}

const slices = function* (value: Runtime, count: number, fill: Runtime, budget: Budget): Iterator<Runtime> {
  const items = collect(value, budget)
  if (count === 0) throw valueFault("integer division or modulo by zero")
  const size = Math.floor(items.length / count)
  const longer = items.length - size * count
  let start = 0
  for (let index = 0; index < count; index++) {
    budget.spend()
    const end = start + size + (index < longer ? 1 : 0)
    const slice = items.slice(start, end)
    if (fill !== null && index >= longer) slice.push(fill)
    yield List.of(slice)
    start = end
  }
}

const reversible = (value: Runtime): boolean =>
  value instanceof List ||
  value instanceof Tuple ||
  value instanceof Dict ||
  value instanceof DictView ||
  value instanceof Range ||
  textOf(value) !== undefined

const reverse = (value: Runtime, { budget }: Host): Runtime => {
  const text = textOf(value)
  if (text !== undefined) {
    budget.allocate(text.length)
    const reversed = Array.from(text).reverse().join("")
    return value instanceof Markup ? new Markup(reversed) : reversed
  }
  if (value instanceof Undefined) throw value.fault()
  if (!isIterable(value)) throw typeFault("argument must be iterable")
  const items = collect(value, budget).reverse()
  return reversible(value) ? new Generator(items.values()) : List.of(items)
}

const join = (value: Runtime, separator: Runtime, attribute: Runtime | undefined, host: Host): Runtime => {
  const { budget } = host
  const get = getter(attribute, budget)
  const items = collect(value, budget).map(get)
  const isMarkup = host.escaping && [separator, ...items].some((item) => item instanceof Markup)
  const write = (item: Runtime): string => {
    const text = show(item, budget)
    budget.allocate(text.length)
    return isMarkup ? escapeHtml(item, text) : text
  }
  const mark = write(separator)
  budget.allocate(mark.length * items.length)
  const text = items.map(write).join(mark)
  return isMarkup ? new Markup(text) : text
}

const group = (value: Runtime, [attribute, fallback, sensitive]: Values, { budget }: Host): Runtime => {
  const get = getter(attribute, budget, fallback ?? null)
  const rule = caseRule(isSet(sensitive))
  const groups: Array<{ readonly key: Runtime; readonly first: Runtime; readonly items: Array<Runtime> }> = []
  for (const { item, key } of sortBy(
    keyedItems(value, (item) => rule(get(item)), budget),
    "ascending",
    budget
  )) {
    const last = groups.at(-1)
    if (last !== undefined && same(last.key, key, budget)) last.items.push(item)
    else groups.push({ key, first: get(item), items: [item] })
  }
  return List.of(groups.map(({ first, items }) => new Tuple([first, List.of(items)], ["grouper", "list"])))
}

const dictSort = (value: Runtime, [sensitive, order, isReverse]: Values, { budget }: Host): Runtime => {
  const by = order === undefined ? "key" : textOf(order)
  if (by !== "key" && by !== "value") throw valueFault('You can only sort by either "key" or "value"')
  if (value instanceof Undefined) throw value.fault()
  if (!(value instanceof Dict)) throw typeFault(`'${typeName(value)}' object has no attribute 'items'`)
  const rule = caseRule(isSet(sensitive))
  const entries = Array.from(value.entries(), ([key, entry]) => ({
    item: new Tuple([key, entry]),
    key: rule(by === "key" ? key : entry)
  }))
  return List.of(sortBy(entries, directionOf(isReverse), budget).map(({ item }) => item))
}

const last = (value: Runtime, budget: Budget): Runtime => {
  if (value instanceof Undefined) throw value.fault()
  if (!reversible(value)) throw typeFault(`'${typeName(value)}' object is not reversible`)
  const item = collect(value, budget).at(-1)
  return item === undefined ? new Undefined("No last item, sequence was empty.") : item
}

const first = (value: Runtime, budget: Budget): Runtime => {
  for (const item of iterate(value, budget)) return item
  return new Undefined("No first item, sequence was empty.")
}

const random = (value: Runtime, budget: Budget): Runtime => {
  const size = length(value)
  if (size === 0) return new Undefined("No random item, sequence was empty.")
  if (value instanceof Dict) throw valueFault("a map has no random item; pick one of its keys with list | random")
  return collect(value, budget)[Math.floor(Math.random() * size)] ?? null
}

const unique = function* (value: Runtime, rule: Getter, get: Getter, budget: Budget): Iterator<Runtime> {
  const isNew = distinct()
  for (const item of iterate(value, budget)) if (isNew(rule(get(item)))) yield item
}

const items = (value: Runtime): Runtime => {
  if (value instanceof Undefined) return new Generator([][Symbol.iterator]())
  if (!(value instanceof Dict)) throw typeFault("Can only get item pairs from a mapping.")
  return new Generator(new DictView(value, "items")[Symbol.iterator]())
}

export const listFilters: ReadonlyArray<readonly [string, Filter]> = [
  filter("length", [], (value) => length(value)),
  filter("count", [], (value) => length(value)),
  filter("first", [], (value, _, { budget }) => first(value, budget)),
  filter("last", [], (value, _, { budget }) => last(value, budget)),
  filter("random", [], (value, _, { budget }) => random(value, budget)),
  filter("list", [], (value, _, { budget }) => List.of(collect(value, budget))),
  filter("reverse", [], (value, _, host) => reverse(value, host)),
  filter("items", [], items),
  filter("join", ["d?", "attribute?"], (value, [separator, attribute], host) =>
    join(value, separator ?? "", attribute, host)
  ),
  filter(
    "sort",
    ["reverse?", "case_sensitive?", "attribute?"],
    (value, [isReverse, sensitive, attribute], { budget }) => {
      const key = multipleGetter(attribute, caseRule(isSet(sensitive)), budget)
      return List.of(sortBy(keyedItems(value, key, budget), directionOf(isReverse), budget).map(({ item }) => item))
    }
  ),
  filter("dictsort", ["case_sensitive?", "by?", "reverse?"], dictSort),
  filter("unique", ["case_sensitive?", "attribute?"], (value, [sensitive, attribute], { budget }) =>
    lazy(() => unique(value, caseRule(isSet(sensitive)), getter(attribute, budget), budget))
  ),
  filter("groupby", ["attribute", "default?", "case_sensitive?"], group),
  extreme("min"),
  extreme("max"),
  filter("sum", ["attribute?", "start?"], (value, [attribute, start], { budget }) => {
    const get = getter(attribute, budget)
    return sum(collect(value, budget).map(get), start ?? 0, budget)
  }),
  filter("batch", ["linecount", "fill_with?"], (value, [size, fill], { budget }) =>
    lazy(() => batches(value, requireInteger(size, 0, "linecount"), fill ?? null, budget))
  ),
  filter("slice", ["slices", "fill_with?"], (value, [count, fill], { budget }) =>
    lazy(() => slices(value, requireInteger(count, 0, "slices"), fill ?? null, budget))
  )
]
