/** The `loop` variable. Items are fetched one at a time, and ahead only when an attribute needs to know. */
import { bind } from "../expression/Arguments.ts"
import type { Budget } from "../expression/Budget.ts"
import { same } from "../expression/Comparison.ts"
import { typeFault, valueFault } from "../expression/Fault.ts"
import { type Arguments, HostObject, Native, type Runtime, Undefined } from "../expression/Runtime.ts"

const names = [
  "index",
  "index0",
  "revindex",
  "revindex0",
  "first",
  "last",
  "length",
  "previtem",
  "nextitem",
  "depth",
  "depth0",
  "cycle",
  "changed"
]

export class Loop extends HostObject {
  readonly #ahead: Array<Runtime> = []
  #index = -1
  #current: Runtime | undefined
  #previous: Runtime | undefined
  #lastSeen: ReadonlyArray<Runtime> | undefined

  constructor(
    readonly items: Iterator<Runtime>,
    readonly depth: number,
    /** Runs the loop's body over other items; absent in loops that are not recursive. */
    readonly recurse: ((items: Runtime, depth: number) => Runtime) | undefined
  ) {
    super("LoopContext", "<LoopContext>")
  }

  /** The next item, or `undefined` at the end. */
  advance(): Runtime | undefined {
    const item = this.#fetch()
    if (item === undefined) return undefined
    this.#previous = this.#current
    this.#current = item
    this.#index += 1
    return item
  }

  #fetch(): Runtime | undefined {
    if (this.#ahead.length > 0) return this.#ahead.shift()
    const next = this.items.next()
    return next.done === true ? undefined : next.value
  }

  #peek(): Runtime | undefined {
    if (this.#ahead.length === 0) {
      const item = this.#fetch()
      if (item !== undefined) this.#ahead.push(item)
    }
    return this.#ahead[0]
  }

  #remaining(): number {
    for (let next = this.items.next(); next.done !== true; next = this.items.next()) this.#ahead.push(next.value)
    return this.#ahead.length
  }

  override attributeNames(): ReadonlyArray<string> {
    return names
  }

  override attribute(name: string): Runtime | undefined {
    switch (name) {
      case "index":
        return this.#index + 1
      case "index0":
        return this.#index
      case "length":
        return this.#index + 1 + this.#remaining()
      case "revindex":
        return this.#remaining() + 1
      case "revindex0":
        return this.#remaining()
      case "first":
        return this.#index === 0
      case "last":
        return this.#peek() === undefined
      case "depth":
        return this.depth
      case "depth0":
        return this.depth - 1
      case "previtem":
        return this.#previous === undefined ? new Undefined("there is no previous item") : this.#previous
      case "nextitem": {
        const next = this.#peek()
        return next === undefined ? new Undefined("there is no next item") : next
      }
      case "cycle":
        return new Native(name, (args) => this.#cycle(args))
      case "changed":
        return new Native(name, (args, budget) => this.#changed(args, budget))
      default:
        return undefined
    }
  }

  #cycle({ positional }: Arguments): Runtime {
    if (positional.length === 0) throw typeFault("no items for cycling given")
    return positional[this.#index % positional.length] ?? null
  }

  #changed({ positional }: Arguments, budget: Budget): boolean {
    const seen = this.#lastSeen
    const isSame =
      seen !== undefined &&
      seen.length === positional.length &&
      seen.every((value, index) => same(value, positional[index] ?? null, budget))
    this.#lastSeen = positional
    return !isSame
  }

  override call(args: Arguments): Runtime {
    if (this.recurse === undefined) {
      throw typeFault("The loop must have the 'recursive' marker to be called recursively.")
    }
    const [items] = bind("loop", ["iterable"], args)
    if (items === undefined) throw valueFault("loop() needs something to iterate over")
    return this.recurse(items, this.depth + 1)
  }
}
