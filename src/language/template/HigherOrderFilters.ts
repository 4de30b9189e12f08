/** Filters that apply another filter or a test to every item: `map`, `select`, `reject` and their attribute forms. */
import { isTrue } from "../expression/Comparison.ts"
import { valueFault } from "../expression/Fault.ts"
import { iterate } from "../expression/Iteration.ts"
import { type Arguments, Generator, type Runtime } from "../expression/Runtime.ts"
import { type Filter, type Host, needText } from "./Filter.ts"
import { getter, type Getter } from "./Selection.ts"

const mapping = ({ named, positional }: Arguments, host: Host): Getter => {
  const [name, ...rest] = positional
  if (name !== undefined) {
    const filterName = needText(name, "the name of a filter")
    return (item) => host.applyFilter(filterName, item, { positional: rest, named })
  }
  const attribute = named.get("attribute")
  if (attribute === undefined) throw valueFault("map requires a filter argument")
  const unexpected = Array.from(named.keys()).find((key) => key !== "attribute" && key !== "default")
  if (unexpected !== undefined) throw valueFault(`Unexpected keyword argument '${unexpected}'`)
  return getter(attribute, host.budget, named.get("default") ?? null)
}

/** The question asked of every item: a test by name, or whether it is true. */
const question = (by: "item" | "attribute", { named, positional }: Arguments, host: Host) => {
  const [attribute, tested] = by === "item" ? [undefined, positional] : [positional[0], positional.slice(1)]
  if (by === "attribute" && attribute === undefined) throw valueFault("Missing parameter for attribute name")
  const get = getter(attribute, host.budget)
  const [name, ...rest] = tested
  if (name === undefined) return (item: Runtime) => isTrue(get(item))
  const testName = needText(name, "the name of a test")
  return (item: Runtime) => host.applyTest(testName, get(item), { positional: rest, named })
}

const mapped = function* (value: Runtime, args: Arguments, host: Host): Iterator<Runtime> {
  if (!isTrue(value)) return
  const change = mapping(args, host)
  for (const item of iterate(value, host.budget)) yield change(item)
}

const selection = (by: "item" | "attribute", matches: "keep" | "drop"): Filter => {
  const selected = function* (value: Runtime, args: Arguments, host: Host): Iterator<Runtime> {
    if (!isTrue(value)) return
    const holds = question(by, args, host)
    for (const item of iterate(value, host.budget)) if (holds(item) === (matches === "keep")) yield item
  }
  return (value, args, host) => new Generator(selected(value, args, host))
}

export const higherOrderFilters: ReadonlyArray<readonly [string, Filter]> = [
  ["map", (value, args, host) => new Generator(mapped(value, args, host))],
  ["select", selection("item", "keep")],
  ["reject", selection("item", "drop")],
  ["selectattr", selection("attribute", "keep")],
  ["rejectattr", selection("attribute", "drop")]
]
