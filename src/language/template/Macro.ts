/** A macro as a value: matches the arguments of a call with its parameters, then lets the renderer run its body. */
import { Dict } from "../expression/Dict.ts"
import { typeFault } from "../expression/Fault.ts"
import { type Arguments, HostObject, type Runtime, Tuple, Undefined } from "../expression/Runtime.ts"
import type { MacroDefinition } from "./Ast.ts"

/** Runs the body with these names bound; a parameter that is `undefined` was not given and takes its default. */
export type RunMacro = (bound: ReadonlyMap<string, Runtime | undefined>) => Runtime

export class Macro extends HostObject {
  constructor(
    readonly definition: MacroDefinition,
    readonly run: RunMacro
  ) {
    super("Macro", `<Macro '${definition.name}'>`)
  }

  override attributeNames(): ReadonlyArray<string> {
    return ["name", "arguments", "catch_kwargs", "catch_varargs", "caller"]
  }

  override attribute(name: string): Runtime | undefined {
    const { definition } = this
    switch (name) {
      case "name":
        return definition.name
      case "arguments":
        return new Tuple(definition.parameters)
      case "catch_kwargs":
        return definition.uses.has("kwargs")
      case "catch_varargs":
        return definition.uses.has("varargs")
      case "caller":
        return definition.uses.has("caller")
      default:
        return undefined
    }
  }

  override call(args: Arguments): Runtime {
    const { name, parameters, uses } = this.definition
    const named = new Map(args.named)
    const bound = new Map<string, Runtime | undefined>()
    for (const [index, parameter] of parameters.entries()) {
      const positional = args.positional[index]
      if (positional !== undefined && named.has(parameter)) {
        throw typeFault(`macro '${name}' got multiple values for argument '${parameter}'`)
      }
      bound.set(parameter, positional === undefined ? named.get(parameter) : positional)
      named.delete(parameter)
    }
    if (uses.has("caller") && !parameters.includes("caller")) {
      const caller = named.get("caller")
      bound.set("caller", caller === undefined ? new Undefined("No caller defined", "caller") : caller)
      named.delete("caller")
    }
    this.#bindSurplus(bound, named, args.positional.slice(parameters.length))
    return this.run(bound)
  }

  #bindSurplus(
    bound: Map<string, Runtime | undefined>,
    named: ReadonlyMap<string, Runtime>,
    surplus: ReadonlyArray<Runtime>
  ): void {
    const { name, parameters, uses } = this.definition
    if (uses.has("kwargs")) bound.set("kwargs", Dict.of(named))
    const [unexpected] = named.keys()
    if (!uses.has("kwargs") && unexpected !== undefined) {
      throw typeFault(
        unexpected === "caller"
          ? `macro '${name}' was invoked with a call block but does not use caller()`
          : `macro '${name}' takes no keyword argument '${unexpected}'`
      )
    }
    if (uses.has("varargs")) bound.set("varargs", new Tuple(surplus))
    else if (surplus.length > 0) {
      throw typeFault(`macro '${name}' takes not more than ${parameters.length} argument(s)`)
    }
  }
}
