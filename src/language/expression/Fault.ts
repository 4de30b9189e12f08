/**
 * How evaluation stops inside this folder: a thrown `Fault`. It never leaves the language: the public functions
 * (`Template.ts`, `Condition.ts`) turn it into an error value with a place in the source.
 */
export type FaultKind = "undefined" | "syntax" | "type" | "other" | "budget"

export class Fault extends Error {
  /** What the author may have meant, set where the candidates are known. */
  suggestion: string | undefined
  /** Where in the source, as an offset; filled in by the innermost evaluator that knows it. */
  offset: number | undefined
  /** The text the offset belongs to, and its name if it has one. */
  source: { readonly text: string; readonly name: string | undefined } | undefined
  /** A template that could not be loaded. */
  notFound: string | undefined

  constructor(
    readonly kind: FaultKind,
    readonly reason: string,
    readonly subject?: string
  ) {
    super(reason)
  }
}

export const typeFault = (reason: string): Fault => new Fault("type", reason)

/** Bad values and impossible operations on values of the right type: division by zero, no such item. */
export const valueFault = (reason: string): Fault => new Fault("other", reason)

export const budgetFault = (reason: string): Fault => new Fault("budget", reason)
