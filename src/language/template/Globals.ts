/** The functions every template can call: `range`, `dict`, `namespace`, `cycler`, `joiner` and `lipsum`. */
import { bind } from "../expression/Arguments.ts"
import { entriesFrom } from "../expression/ContainerMethods.ts"
import { Dict } from "../expression/Dict.ts"
import { typeFault, valueFault } from "../expression/Fault.ts"
import { isInteger, requireInteger } from "../expression/Numbers.ts"
import { show } from "../expression/PythonText.ts"
import { type Arguments, HostObject, Markup, Native, Range, type Runtime, Undefined } from "../expression/Runtime.ts"
import { isTrue } from "../expression/Comparison.ts"
import { lorem } from "./Lorem.ts"

/** The one object whose attributes templates may set; it carries values out of loops. */
export class Namespace extends HostObject {
  readonly #values = new Map<string, Runtime>()

  constructor(entries: Iterable<readonly [Runtime, Runtime]>) {
    super("Namespace", "<Namespace>")
    for (const [name, value] of entries) {
      if (typeof name !== "string") throw typeFault("the names of a namespace must be str")
      this.#values.set(name, value)
    }
  }

  override attribute(name: string): Runtime | undefined {
    return this.#values.get(name)
  }

  override attributeNames(): ReadonlyArray<string> {
    return [...this.#values.keys()]
  }

  assign(name: string, value: Runtime): void {
    this.#values.set(name, value)
  }
}

class Cycler extends HostObject {
  #position = 0

  constructor(readonly items: ReadonlyArray<Runtime>) {
    super("Cycler", "<Cycler>")
    if (items.length === 0) throw valueFault("at least one item has to be provided")
  }

  override attribute(name: string): Runtime | undefined {
    const current = this.items[this.#position] ?? null
    if (name === "current") return current
    if (name === "next") return new Native(name, () => this.#advance())
    return name === "reset" ? new Native(name, () => this.#reset()) : undefined
  }

  override attributeNames(): ReadonlyArray<string> {
    return ["next", "reset", "current"]
  }

  #advance(): Runtime {
    const current = this.items[this.#position] ?? null
    this.#position = (this.#position + 1) % this.items.length
    return current
  }

  #reset(): null {
    this.#position = 0
    return null
  }
}

/** Nothing on its first call, the separator on all others. */
const joiner = (args: Arguments): Runtime => {
  const [separator] = bind("joiner", ["sep?"], args)
  let isUsed = false
  return new Native("joiner", () => {
    if (isUsed) return separator ?? ", "
    isUsed = true
    return ""
  })
}

const range = (args: Arguments): Runtime => {
  const values = bind("range", ["start", "stop?", "step?"], { positional: args.positional, named: new Map() })
  if (args.named.size > 0) throw typeFault("range() takes no keyword arguments")
  const [first = 0, second, third] = values.map((value) => {
    if (value instanceof Undefined) throw value.fault()
    if (value !== undefined && typeof value !== "boolean" && !isInteger(value))
      throw typeFault("range() needs integers")
    return value === undefined ? undefined : requireInteger(value, 0, "a bound of range()")
  })
  if (third === 0) throw valueFault("range() arg 3 must not be zero")
  return second === undefined ? new Range(0, first, 1) : new Range(first, second, third ?? 1)
}

const native = (name: string, run: Native["run"], text = `<function ${name}>`): readonly [string, Native] => [
  name,
  new Native(name, run, text)
]

const makeDict: Native["run"] = (args, budget) => {
  const [source] = bind("dict", ["source?"], { positional: args.positional, named: new Map() })
  return Dict.of(entriesFrom(source, args.named, budget))
}

const makeNamespace: Native["run"] = (args, budget) => {
  const [source] = bind("namespace", ["source?"], { positional: args.positional, named: new Map() })
  return new Namespace(entriesFrom(source, args.named, budget))
}

const lipsum: Native["run"] = (args, budget) => {
  const [paragraphs, html, shortest, longest] = bind("lipsum", ["n?", "html?", "min?", "max?"], args)
  const count = requireInteger(paragraphs, 5, "n")
  const least = requireInteger(shortest, 20, "min")
  const most = requireInteger(longest, 100, "max")
  budget.allocate(Math.max(0, count) * Math.max(0, least, most) * 8)
  const texts = Array.from({ length: Math.max(0, count) }, () => lorem(least, most))
  return html === undefined || isTrue(html)
    ? new Markup(texts.map((text) => `<p>${show(text, budget)}</p>`).join("\n"))
    : texts.join("\n\n")
}

export const globals: ReadonlyMap<string, Runtime> = new Map<string, Runtime>([
  native("range", range, "<class 'range'>"),
  native("dict", makeDict, "<class 'dict'>"),
  native("namespace", makeNamespace, "<class 'Namespace'>"),
  native("cycler", ({ positional }) => new Cycler(positional), "<class 'Cycler'>"),
  native("joiner", joiner, "<class 'Joiner'>"),
  native("lipsum", lipsum)
])
