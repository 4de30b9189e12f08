/**
 * Evaluates a `when:` expression over flattened names (workflow language §3.3). Attributes come before keys, what is
 * missing fails at once, and only five functions can be called by name.
 */
import { float } from "../../domain/Value.ts"
import type { CallArguments, Expression } from "./Ast.ts"
import { bind } from "./Arguments.ts"
import { attributeNames, attributeOf } from "./Attributes.ts"
import type { Budget } from "./Budget.ts"
import { Evaluator } from "./Evaluator.ts"
import { budgetFault, Fault, typeFault, valueFault } from "./Fault.ts"
import { length } from "./Iteration.ts"
import { nearest } from "../../domain/NearMatch.ts"
import { isFloat, numeric, requireInteger, toNumber } from "./Numbers.ts"
import { parseFloatText, parseInteger } from "./NumberText.ts"
import type { Operator } from "./Operators.ts"
import { truncate } from "./PercentFormat.ts"
import { quote, show } from "./PythonText.ts"
import { HostObject, List, Native, type Runtime, textOf, Tuple } from "./Runtime.ts"
import { itemOf } from "./Subscript.ts"
import { typeName } from "./TypeName.ts"

/** Bounds of the reference on what one operation may make. */
const longestSequence = 100_000
const largestPower = 4_000_000
const forbiddenAttributes = new Set([
  "format",
  "format_map",
  "mro",
  "tb_frame",
  "gi_frame",
  "ag_frame",
  "cr_frame",
  "exec"
])

/** A name that is not there. */
export class UnknownName extends Fault {
  constructor(name: string) {
    super("undefined", `'${name}' is not defined`, name)
  }
}

const toInteger = (value: Runtime | undefined, base: Runtime | undefined): Runtime => {
  if (value === undefined) return 0
  const text = textOf(value)
  if (text !== undefined) {
    const radix = requireInteger(base, 10, "base")
    const parsed = radix === 0 || (radix >= 2 && radix <= 36) ? parseInteger(text, radix) : undefined
    if (parsed === undefined) throw valueFault(`invalid literal for int() with base ${radix}: '${text}'`)
    return parsed
  }
  const number = numeric(value)
  if (number === undefined) throw typeFault(`int() argument must be a string or a number, not '${typeName(value)}'`)
  return isFloat(number) ? truncate(toNumber(number)) : number
}

const toFloat = (value: Runtime | undefined): Runtime => {
  if (value === undefined) return float(0)
  const text = textOf(value)
  const number = text === undefined ? numeric(value) : parseFloatText(text)
  if (number !== undefined) return float(toNumber(number))
  if (text !== undefined) throw valueFault(`could not convert string to float: '${text}'`)
  throw typeFault(`float() argument must be a string or a number, not '${typeName(value)}'`)
}

const functions: ReadonlyMap<string, HostObject> = new Map(
  [
    new Native("rand", () => float(Math.random())),
    new Native("randint", (args) => {
      const [top] = bind("randint", ["top"], args)
      const bound = numeric(top ?? null)
      if (bound === undefined) throw typeFault("randint() needs a number")
      return Math.trunc(Math.random() * toNumber(bound))
    }),
    new Native("int", (args) => {
      const [value, base] = bind("int", ["x?", "base?"], args)
      return toInteger(value, base)
    }),
    new Native("float", (args) => toFloat(bind("float", ["x?"], args)[0])),
    new Native("str", (args, budget) => {
      const [value] = bind("str", ["object?"], args)
      return value === undefined ? "" : show(value, budget)
    })
  ].map((native) => [native.name, native])
)

export interface ConditionNames {
  get(name: string): Runtime | undefined
  all(): Iterable<string>
}

export class ConditionEvaluator extends Evaluator {
  constructor(
    budget: Budget,
    readonly names: ConditionNames
  ) {
    super(budget)
  }

  protected override name(name: string): Runtime {
    const value = this.names.get(name)
    if (value !== undefined) return value
    const known = functions.get(name)
    if (known === undefined) throw new UnknownName(name)
    return known
  }

  protected override attribute(target: Runtime, name: string): Runtime {
    if (name.startsWith("_") || name.startsWith("func_") || forbiddenAttributes.has(name)) {
      throw typeFault(`access to '${name}' is not allowed`)
    }
    const attribute = attributeOf(target, name)
    const found = attribute === undefined ? itemOf(target, name, this.budget) : attribute
    if (found !== undefined) return found
    const fault = valueFault(`attribute '${name}' does not exist`)
    fault.suggestion = nearest(name, attributeNames(target))
    throw fault
  }

  protected override item(target: Runtime, key: Runtime): Runtime {
    const found = itemOf(target, key, this.budget)
    if (found !== undefined) return found
    const fault = valueFault(`there is no item ${quote(key, this.budget)}`)
    const name = textOf(key)
    if (name !== undefined) fault.suggestion = nearest(name, attributeNames(target))
    throw fault
  }

  /** Functions are found by name only; a value is called through its methods. */
  protected override call(target: Expression, args: CallArguments): Runtime {
    if (target.kind === "attribute") return super.call(target, args)
    if (target.kind !== "name") throw typeFault("only functions and methods can be called")
    const found = functions.get(target.name)
    if (found === undefined) {
      const fault = typeFault(`function '${target.name}' is not defined; there are ${[...functions.keys()].join(", ")}`)
      fault.suggestion = nearest(target.name, functions.keys())
      throw fault
    }
    return this.invoke(found, this.args(args))
  }

  protected override binary(operator: Operator, left: Runtime, right: Runtime): Runtime {
    if (operator === "*" || operator === "+") this.#checkLength(operator, left, right)
    if (operator === "**") for (const side of [left, right]) this.#checkPower(side)
    return super.binary(operator, left, right)
  }

  #checkLength(operator: "*" | "+", left: Runtime, right: Runtime): void {
    const [one, two] = [sizeOf(left), sizeOf(right)]
    const size =
      operator === "+"
        ? (one ?? 0) + (two ?? 0)
        : (one ?? 1) * (two ?? 1) * [left, right].reduce<number>((product, side) => product * countOf(side), 1)
    if ((one !== undefined || two !== undefined) && size > longestSequence) {
      throw budgetFault(`a sequence longer than ${longestSequence}`)
    }
  }

  #checkPower(side: Runtime): void {
    const number = numeric(side)
    if (number !== undefined && Math.abs(toNumber(number)) > largestPower) {
      throw budgetFault(`a power with a number above ${largestPower}`)
    }
  }

  protected override missingChoice(): Runtime {
    return null
  }

  override applyFilter(name: string): Runtime {
    throw typeFault(`filters such as '${name}' exist in templates only`)
  }

  override applyTest(name: string): boolean {
    throw typeFault(`tests such as '${name}' exist in templates only`)
  }
}

const sizeOf = (value: Runtime): number | undefined =>
  textOf(value) !== undefined || value instanceof List || value instanceof Tuple ? length(value) : undefined

const countOf = (value: Runtime): number => {
  const number = numeric(value)
  return number === undefined || isFloat(number) ? 1 : Number(number)
}
