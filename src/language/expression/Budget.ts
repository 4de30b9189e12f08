/**
 * What one evaluation may spend. Every loop, copy and recursion of the language asks here first, so no template or
 * condition can hang the process or exhaust its memory.
 */
import { budgetFault } from "./Fault.ts"

export interface BudgetLimits {
  /** Evaluated expressions, executed statements and visited items. */
  readonly steps: number
  /** Characters of the rendered text, and the length of any one text or list. */
  readonly output: number
  /** Characters and items built on the way, all together. */
  readonly allocation: number
  /**
   * Expressions, statements and calls inside one another. At the default they take some two thirds of the stack at most,
   * so that nothing comes to its end, where V8 ends the process if it has to compile a regular expression.
   */
  readonly depth: number
}

export const defaultLimits: BudgetLimits = {
  steps: 2_000_000,
  output: 16 * 1024 * 1024,
  allocation: 256 * 1024 * 1024,
  depth: 650
}

export class Budget {
  #steps = 0
  #allocated = 0
  #depth = 0

  constructor(readonly limits: BudgetLimits = defaultLimits) {}

  spend(steps = 1): void {
    this.#steps += steps
    if (this.#steps > this.limits.steps) throw budgetFault(`more than ${this.limits.steps} evaluation steps`)
  }

  /** To be asked before a text or list of `length` is built. */
  allocate(length: number): void {
    if (length > this.limits.output) throw budgetFault(`a value longer than ${this.limits.output}`)
    this.#allocated += length
    if (this.#allocated > this.limits.allocation) {
      throw budgetFault(`more than ${this.limits.allocation} characters and items built`)
    }
  }

  enter(): void {
    this.#depth += 1
    if (this.#depth > this.limits.depth) throw budgetFault(`nested more than ${this.limits.depth} levels deep`)
  }

  leave(): void {
    this.#depth -= 1
  }
}
