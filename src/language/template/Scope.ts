/** The names an expression can see: innermost scope first, then the template's context, then the globals. */
import type { ValueMap } from "../../domain/Value.ts"
import type { Runtime } from "../expression/Runtime.ts"
import { thaw } from "../expression/Thaw.ts"

export interface Names {
  get(name: string): Runtime | undefined
  all(): Iterable<string>
}

/** What a rendering was given. A value is made usable when it is first read, so unused data costs nothing. */
export class Context implements Names {
  readonly #thawed = new Map<string, Runtime>()

  constructor(
    readonly values: ValueMap,
    readonly globals: ReadonlyMap<string, Runtime>
  ) {}

  get(name: string): Runtime | undefined {
    const known = this.#thawed.get(name)
    if (known !== undefined) return known
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined
    if (value === undefined) return this.globals.get(name)
    const thawed = thaw(value)
    this.#thawed.set(name, thawed)
    return thawed
  }

  *all(): Iterable<string> {
    yield* Object.keys(this.values)
    yield* this.globals.keys()
  }
}

export class Scope implements Names {
  readonly #own = new Map<string, Runtime>()

  constructor(readonly parent: Names) {}

  get(name: string): Runtime | undefined {
    const own = this.#own.get(name)
    return own === undefined ? this.parent.get(name) : own
  }

  set(name: string, value: Runtime): void {
    this.#own.set(name, value)
  }

  own(): ReadonlyMap<string, Runtime> {
    return this.#own
  }

  *all(): Iterable<string> {
    yield* this.#own.keys()
    yield* this.parent.all()
  }
}
