/**
 * Evaluates the expressions that templates and conditions share. What differs between the two (names, attributes,
 * filters, bounds) is asked of the subclass; nothing else is open to it.
 */
import type { CallArguments, Comparator, Expression, FormattedPart } from "./Ast.ts"
import type { Budget } from "./Budget.ts"
import { compare, contains, equals, isTrue } from "./Comparison.ts"
import { Dict } from "./Dict.ts"
import { Fault, typeFault, valueFault } from "./Fault.ts"
import { formatValue } from "./FormatSpec.ts"
import { collect } from "./Iteration.ts"
import { bitwise, numeric, subtract, isInteger } from "./Numbers.ts"
import { binary, join, negative, positive, type Operator } from "./Operators.ts"
import { type Arguments, HostObject, List, type Runtime, textOf, Tuple, Undefined } from "./Runtime.ts"
import { type Bounds, sliceOf } from "./Subscript.ts"
import { typeName } from "./TypeName.ts"

export abstract class Evaluator {
  /** The text that the offsets of the evaluated nodes count in. */
  protected source: Fault["source"]

  constructor(readonly budget: Budget) {}

  protected abstract name(name: string): Runtime
  protected abstract attribute(target: Runtime, name: string): Runtime
  protected abstract item(target: Runtime, key: Runtime): Runtime
  /** The value of a choice whose test fails and that has no `else`. */
  protected abstract missingChoice(offset: number): Runtime
  abstract applyFilter(name: string, value: Runtime, args: Arguments): Runtime
  abstract applyTest(name: string, value: Runtime, args: Arguments): boolean

  /** Whether `~` makes HTML. */
  protected get escaping(): boolean {
    return false
  }

  /** The value that flows through `{% filter %}`; elsewhere every filter has a target. */
  protected piped(): Runtime {
    return ""
  }

  /** Hook for a dialect that bounds operands more tightly than the budget does. */
  protected binary(operator: Operator, left: Runtime, right: Runtime): Runtime {
    return binary(operator, left, right, this.budget)
  }

  /** Faults leave with the place of the innermost expression they come from. */
  evaluate(node: Expression): Runtime {
    this.budget.spend()
    this.budget.enter()
    try {
      return this.#evaluate(node)
    } catch (cause) {
      if (cause instanceof Fault) cause.offset ??= node.offset
      throw cause
    } finally {
      this.budget.leave()
    }
  }

  #evaluate(node: Expression): Runtime {
    switch (node.kind) {
      case "literal":
        return node.value
      case "name":
        return this.#from(node.offset, this.name(node.name))
      case "attribute":
        return this.#from(node.offset, this.attribute(this.evaluate(node.target), node.name))
      case "item":
        return this.#from(node.offset, this.item(this.evaluate(node.target), this.evaluate(node.key)))
      case "filter":
        return this.applyFilter(
          node.name,
          node.target === undefined ? this.piped() : this.evaluate(node.target),
          this.args(node.args)
        )
      case "test":
        return this.applyTest(node.name, this.evaluate(node.target), this.args(node.args))
      case "call":
        return this.call(node.target, node.args)
      case "compare":
        return this.#compare(node.first, node.rest)
      case "and": {
        const left = this.evaluate(node.left)
        return isTrue(left) ? this.evaluate(node.right) : left
      }
      case "or": {
        const left = this.evaluate(node.left)
        return isTrue(left) ? left : this.evaluate(node.right)
      }
      case "choice":
        if (isTrue(this.evaluate(node.test))) return this.evaluate(node.consequent)
        return node.otherwise === undefined ? this.missingChoice(node.offset) : this.evaluate(node.otherwise)
      case "binary":
        return this.binary(node.operator, this.evaluate(node.left), this.evaluate(node.right))
      case "unary":
        return this.#unary(node.operator, this.evaluate(node.operand))
      case "concat":
        return join(
          node.parts.map((part) => this.evaluate(part)),
          this.escaping,
          this.budget
        )
      case "list":
        return List.of(node.items.map((item) => this.evaluate(item)))
      case "tuple":
        return new Tuple(node.items.map((item) => this.evaluate(item)))
      case "dict":
        return Dict.of(node.entries.map(([key, value]) => [this.evaluate(key), this.evaluate(value)] as const))
      case "slice":
        return this.#slice(this.evaluate(node.target), {
          start: this.#optional(node.start),
          stop: this.#optional(node.stop),
          step: this.#optional(node.step)
        })
      case "bitwise": {
        const [left, right] = [this.evaluate(node.left), this.evaluate(node.right)]
        const result = bitwise(node.operator, left, right)
        if (result === undefined) {
          throw typeFault(
            `unsupported operand type(s) for ${node.operator}: '${typeName(left)}' and '${typeName(right)}'`
          )
        }
        return result
      }
      case "format":
        return this.#format(node.parts)
      case "unsupported":
        throw new Fault(
          "syntax",
          `${node.what} cannot be used here${node.remedy === undefined ? "" : `: ${node.remedy}`}`
        )
    }
  }

  #from(offset: number, value: Runtime): Runtime {
    if (value instanceof Undefined) value.origin ??= { offset, source: this.source }
    return value
  }

  #optional(node: Expression | undefined): Runtime | undefined {
    return node === undefined ? undefined : this.evaluate(node)
  }

  #slice(target: Runtime, bounds: Bounds): Runtime {
    const result = sliceOf(target, bounds, this.budget)
    if (result !== undefined) return result
    if (target instanceof Dict) throw valueFault("a map has no slices; make a list of it first")
    throw typeFault(`'${typeName(target)}' object is not subscriptable`)
  }

  #unary(operator: "-" | "+" | "~" | "not", value: Runtime): Runtime {
    switch (operator) {
      case "not":
        return !isTrue(value)
      case "-":
        return negative(value)
      case "+":
        return positive(value)
      case "~": {
        const number = numeric(value)
        if (number === undefined || !isInteger(number))
          throw typeFault(`bad operand type for unary ~: '${typeName(value)}'`)
        return subtract(-1, number)
      }
    }
  }

  #compare(first: Expression, rest: ReadonlyArray<readonly [Comparator, Expression]>): Runtime {
    let left = this.evaluate(first)
    for (const [comparator, operand] of rest) {
      const right = this.evaluate(operand)
      if (!this.#holds(comparator, left, right)) return false
      left = right
    }
    return true
  }

  #holds(comparator: Comparator, left: Runtime, right: Runtime): boolean {
    switch (comparator) {
      case "==":
        return equals(left, right, this.budget)
      case "!=":
        return !equals(left, right, this.budget)
      case "<":
        return compare(left, right, comparator, this.budget) < 0
      case "<=":
        return compare(left, right, comparator, this.budget) <= 0
      case ">":
        return compare(left, right, comparator, this.budget) > 0
      case ">=":
        return compare(left, right, comparator, this.budget) >= 0
      case "in":
        return contains(right, left, this.budget)
      case "not in":
        return !contains(right, left, this.budget)
      case "is":
        return left === right
      case "is not":
        return left !== right
    }
  }

  protected call(target: Expression, args: CallArguments): Runtime {
    return this.invoke(this.evaluate(target), this.args(args))
  }

  invoke(callee: Runtime, args: Arguments): Runtime {
    if (callee instanceof Undefined) throw callee.fault()
    if (!(callee instanceof HostObject) || callee.call === undefined) {
      throw typeFault(`'${typeName(callee)}' object is not callable`)
    }
    return callee.call(args, this.budget)
  }

  protected args(args: CallArguments): Arguments {
    const positional = args.positional.map((argument) => this.evaluate(argument))
    const named = new Map(args.named.map(([name, value]) => [name, this.evaluate(value)] as const))
    if (args.spread !== undefined) positional.push(...collect(this.evaluate(args.spread), this.budget))
    if (args.spreadNamed !== undefined) this.#spread(this.evaluate(args.spreadNamed), named)
    return { positional, named }
  }

  #spread(values: Runtime, named: Map<string, Runtime>): void {
    if (values instanceof Undefined) throw values.fault()
    if (!(values instanceof Dict)) throw typeFault(`argument after ** must be a mapping, not ${typeName(values)}`)
    for (const [key, value] of values.entries()) {
      const name = textOf(key)
      if (name === undefined) throw typeFault("keywords must be strings")
      if (named.has(name)) throw typeFault(`got multiple values for keyword argument '${name}'`)
      named.set(name, value)
    }
  }

  #format(parts: ReadonlyArray<string | FormattedPart>): string {
    let text = ""
    for (const part of parts) {
      text +=
        typeof part === "string"
          ? part
          : formatValue(this.evaluate(part.value), this.#format(part.specification), this.budget)
      this.budget.allocate(text.length)
    }
    return text
  }
}
