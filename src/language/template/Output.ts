/** The text a rendering has written so far, within the limit of the budget. */
import type { Budget } from "../expression/Budget.ts"
import { budgetFault } from "../expression/Fault.ts"

export class Output {
  #chunks: Array<string> = []
  #length = 0

  constructor(readonly budget: Budget) {}

  write(text: string): void {
    this.#length += text.length
    if (this.#length > this.budget.limits.output) {
      throw budgetFault(`more than ${this.budget.limits.output} characters of text`)
    }
    this.#chunks.push(text)
  }

  text(): string {
    return this.#chunks.join("")
  }
}
