/** Finds the templates that `include`, `import` and `extends` name, through the loader the caller gave. */
import { Either } from "effect"
import type { Budget } from "../expression/Budget.ts"
import { Fault, valueFault } from "../expression/Fault.ts"
import { iterate } from "../expression/Iteration.ts"
import { List, type Runtime, textOf, Tuple, Undefined } from "../expression/Runtime.ts"
import { typeName } from "../expression/TypeName.ts"
import type { Unit } from "./Unit.ts"

/** The text of a template by its name; on the left, why there is none (where it was looked for). */
export type TemplateLoader = (name: string) => Either.Either<string, string>

export class Templates {
  constructor(
    readonly parse: (text: string, name: string) => Unit,
    /** Absent for inline text, which can name no other template. */
    readonly loader: TemplateLoader | undefined
  ) {}

  /** One name, or the first of several that is found. Throws a `Fault` when there is none. */
  load(name: Runtime, budget: Budget): Unit {
    const names = namesOf(name, budget)
    let reason = "no name is given"
    for (const candidate of names) {
      const found = this.#find(candidate)
      if (Either.isRight(found)) return this.parse(found.right, candidate)
      reason = found.left
    }
    const fault = valueFault(reason)
    fault.notFound = names.join("', '")
    throw fault
  }

  loadIfFound(name: Runtime, budget: Budget): Unit | undefined {
    try {
      return this.load(name, budget)
    } catch (cause) {
      if (cause instanceof Fault && cause.notFound !== undefined && cause.source === undefined) return undefined
      throw cause
    }
  }

  #find(name: string): Either.Either<string, string> {
    if (this.loader !== undefined) return this.loader(name)
    return Either.left(
      "Inline text cannot include, import or extend; move it to a file and use a file-backed prompt (!file)"
    )
  }
}

const namesOf = (value: Runtime, budget: Budget): ReadonlyArray<string> => {
  const candidates = value instanceof List || value instanceof Tuple ? [...iterate(value, budget)] : [value]
  return candidates.map((candidate) => {
    if (candidate instanceof Undefined) throw candidate.fault()
    const name = textOf(candidate)
    if (name === undefined)
      throw valueFault(`a template is named by a text, not by a value of type ${typeName(candidate)}`)
    return name
  })
}
