/**
 * The values an expression works with: every workflow `Value`, and the kinds that exist only during evaluation.
 * Each kind is a class of this folder; no JavaScript object or function of the host is ever a runtime value, which is
 * what makes the language a sandbox.
 */
import type { Float } from "../../domain/Value.ts"
import type { Budget } from "./Budget.ts"
import type { Dict } from "./Dict.ts"
import { Fault } from "./Fault.ts"
import { nearest } from "../../domain/NearMatch.ts"

export type Runtime =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Markup
  | Undefined
  | List
  | Tuple
  | Dict
  | DictView
  | Range
  | Generator
  | HostObject

/** A name, attribute or item that is not there. Almost every use fails; `lenient` ones print as nothing. */
export class Undefined {
  /** Where it came from, which is where its author has to look. */
  origin: { readonly offset: number; readonly source: Fault["source"] } | undefined

  constructor(
    readonly reason: string,
    readonly subject?: string,
    readonly mode: "strict" | "lenient" = "strict",
    /** Names that exist in the place where this one was looked for. */
    readonly candidates: () => Iterable<string> = () => []
  ) {}

  fault(): Fault {
    const fault = new Fault("undefined", this.reason, this.subject)
    if (this.subject !== undefined) fault.suggestion = nearest(this.subject, this.candidates())
    fault.offset = this.origin?.offset
    fault.source = this.origin?.source
    return fault
  }
}

/** Text that is already HTML: operators that combine it with plain text escape that text. */
export class Markup {
  constructor(readonly text: string) {}
}

/** A list that templates may change; its items are loaded on first touch. */
export class List {
  #load: (() => Array<Runtime>) | undefined
  #items: Array<Runtime> | undefined

  private constructor(load: (() => Array<Runtime>) | undefined, items: Array<Runtime> | undefined) {
    this.#load = load
    this.#items = items
  }

  static of(items: Array<Runtime>): List {
    return new List(undefined, items)
  }

  static lazy(load: () => Array<Runtime>): List {
    return new List(load, undefined)
  }

  get items(): Array<Runtime> {
    if (this.#items === undefined) {
      this.#items = this.#load?.() ?? []
      this.#load = undefined
    }
    return this.#items
  }
}

/** `names` are the attributes of a named tuple, as those of `groupby`. */
export class Tuple {
  constructor(
    readonly items: ReadonlyArray<Runtime>,
    readonly names: ReadonlyArray<string> = []
  ) {}
}

export class Range {
  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number
  ) {}

  get length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step))
  }

  at(index: number): number {
    return this.start + index * this.step
  }
}

/** What `keys()`, `values()` and `items()` of a map return: a live view. */
export class DictView {
  constructor(
    readonly dict: Dict,
    readonly kind: "keys" | "values" | "items"
  ) {}

  *[Symbol.iterator](): Iterator<Runtime> {
    for (const [key, value] of this.dict.entries()) {
      yield this.kind === "keys" ? key : this.kind === "values" ? value : new Tuple([key, value])
    }
  }
}

/** The lazy result of filters such as `map`: it can be read once and has no length. */
export class Generator {
  constructor(readonly iterator: Iterator<Runtime>) {}
}

export interface Arguments {
  readonly positional: ReadonlyArray<Runtime>
  readonly named: ReadonlyMap<string, Runtime>
}

/** A value with attributes or a call of its own: functions, macros, `loop`, `namespace()` and the like. */
export abstract class HostObject {
  constructor(
    readonly type: string,
    readonly text: string
  ) {}

  /** Only the names listed by a subclass exist. */
  attribute(_name: string): Runtime | undefined {
    return undefined
  }

  attributeNames(): ReadonlyArray<string> {
    return []
  }

  /** Absent on values that cannot be called. */
  call?(args: Arguments, budget: Budget): Runtime
}

export class Native extends HostObject {
  constructor(
    readonly name: string,
    readonly run: (args: Arguments, budget: Budget) => Runtime,
    text = `<function ${name}>`
  ) {
    super("function", text)
  }

  override call(args: Arguments, budget: Budget): Runtime {
    return this.run(args, budget)
  }
}

/** Values of the host language that have no behaviour here beyond being true, such as `...` and byte strings. */
export class Opaque extends HostObject {}

/** The characters of plain or marked-up text; `undefined` for everything else. */
export const textOf = (value: Runtime | undefined): string | undefined =>
  typeof value === "string" ? value : value instanceof Markup ? value.text : undefined
