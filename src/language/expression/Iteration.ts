/** Walks over and counts what can be walked over; every visited item is paid for. */
import type { Budget } from "./Budget.ts"
import { characters, lengthOf } from "./Characters.ts"
import { Dict } from "./Dict.ts"
import { typeFault } from "./Fault.ts"
import { DictView, Generator, List, Range, type Runtime, textOf, Tuple, Undefined } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"

/** A live view: items appended during the walk are visited too, as long as the budget lasts. */
function* walk(source: Iterable<Runtime>, budget: Budget): IterableIterator<Runtime> {
  for (const item of source) {
    budget.spend()
    yield item
  }
}

/** Lazy results may be made of lazy results: each fetch goes one level deeper for every one of them. */
function* walkLazily({ iterator }: Generator, budget: Budget): IterableIterator<Runtime> {
  for (;;) {
    budget.enter()
    const next = iterator.next()
    budget.leave()
    if (next.done === true) return
    yield next.value
  }
}

function* walkRange(range: Range): IterableIterator<Runtime> {
  for (let index = 0; index < range.length; index++) yield range.at(index)
}

const sourceOf = (value: Runtime): Iterable<Runtime> | undefined => {
  if (value instanceof List || value instanceof Tuple) return value.items
  if (value instanceof Dict) return value.keys()
  if (value instanceof DictView) return value
  if (value instanceof Range) return walkRange(value)
  const text = textOf(value)
  return text === undefined ? undefined : characters(text)
}

export const isIterable = (value: Runtime): boolean =>
  value instanceof Undefined || value instanceof Generator || sourceOf(value) !== undefined

export const iterate = (value: Runtime, budget: Budget): IterableIterator<Runtime> => {
  if (value instanceof Undefined) {
    if (value.mode === "strict") throw value.fault()
    return walk([], budget)
  }
  const source = value instanceof Generator ? walkLazily(value, budget) : sourceOf(value)
  if (source === undefined) throw typeFault(`'${typeName(value)}' object is not iterable`)
  return walk(source, budget)
}

export const collect = (value: Runtime, budget: Budget): Array<Runtime> => {
  const items: Array<Runtime> = []
  for (const item of iterate(value, budget)) items.push(item)
  budget.allocate(items.length)
  return items
}

/** The number of items or characters; lazy results have none. */
export const length = (value: Runtime): number => {
  const text = textOf(value)
  if (text !== undefined) return lengthOf(text)
  if (value instanceof List || value instanceof Tuple) return value.items.length
  if (value instanceof Dict) return value.size
  if (value instanceof DictView) return value.dict.size
  if (value instanceof Range) return value.length
  if (value instanceof Undefined) {
    if (value.mode === "strict") throw value.fault()
    return 0
  }
  throw typeFault(`object of type '${typeName(value)}' has no len()`)
}
