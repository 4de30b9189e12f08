/**
 * The conditions of routes (`when:`, workflow language §3.3). A text with `{{` and `}}` is a template whose result is
 * read as yes or no; any other text is an expression over flattened names. Pure: the context is never changed.
 */
import { Either, Option, Schema } from "effect"
import { isMap, type Value, type ValueMap } from "../domain/Value.ts"
import { Budget } from "./expression/Budget.ts"
import { strip } from "./expression/Characters.ts"
import { isTrue } from "./expression/Comparison.ts"
import { ConditionEvaluator, UnknownName } from "./expression/ConditionEvaluator.ts"
import { parseCondition } from "./expression/ConditionParser.ts"
import type { Expression } from "./expression/Ast.ts"
import { budgetFault, Fault } from "./expression/Fault.ts"
import { ParseCache } from "./expression/ParseCache.ts"
import { nearest } from "../domain/NearMatch.ts"
import type { Runtime } from "./expression/Runtime.ts"
import { thaw } from "./expression/Thaw.ts"
import { renderTemplate } from "./template/Template.ts"
import type { TemplateError } from "./template/TemplateError.ts"

/** Why an expression has no value. A condition in template form fails with `TemplateError` instead. */
export class ConditionError extends Schema.TaggedError<ConditionError>()("ConditionError", {
  /** `unknown-name`: the expression names something that is not in scope; `expression`: everything else. */
  kind: Schema.Literal("unknown-name", "expression"),
  when: Schema.String,
  /** The unknown name; `name` is taken by what every error has. */
  subject: Schema.optional(Schema.String),
  reason: Schema.String,
  /** Counts from 1, in the text without surrounding blanks. */
  column: Schema.Number,
  suggestion: Schema.optional(Schema.String)
}) {
  override get message(): string {
    const hint = this.suggestion === undefined ? "" : `. Did you mean '${this.suggestion}'?`
    return this.kind === "unknown-name"
      ? `Unknown variable in expression: ${this.reason} in '${this.when}' (column ${this.column})${hint}`
      : `Failed to evaluate expression '${this.when}': ${this.reason} (column ${this.column})${hint}`
  }
}

export type ConditionForm = "jinja" | "expr"

/** Both marks anywhere make a template; statements alone (`{% %}`) do not. */
export const conditionForm = (when: string): ConditionForm =>
  when.includes("{{") && when.includes("}}") ? "jinja" : "expr"

/** `context` is the full context of the run; `output` is what the node before gave, seen as `output`. */
export const evaluateCondition = (
  when: string,
  context: ValueMap,
  output: Value
): Either.Either<boolean, ConditionError | TemplateError> => {
  const scope = { ...context, output }
  return conditionForm(when) === "jinja"
    ? Either.map(renderTemplate(when, scope), holdsAsText)
    : evaluateExpression(when, scope)
}

const falseTexts = new Set(["false", "0", "no", ""])

/** Only these texts mean no; `None`, `[]`, `off` and all others mean yes, as in the reference. */
const holdsAsText = (text: string): boolean => !falseTexts.has(strip(text.toLowerCase()))

/**
 * The names of an expression. A map is not a name itself: its entries are, with its name in front, and those of the
 * output also on their own. Of two equal names the later one counts.
 */
const flatten = (scope: ValueMap): ReadonlyMap<string, Value> => {
  const names = new Map<string, Value>()
  for (const [key, value] of Object.entries(scope)) {
    if (!isMap(value)) {
      names.set(key, value)
      continue
    }
    for (const [inner, entry] of Object.entries(value)) {
      names.set(`${key}_${inner}`, entry)
      if (key === "output") names.set(inner, entry)
    }
  }
  return names
}

const namesOf = (values: ReadonlyMap<string, Value>) => {
  const thawed = new Map<string, Runtime>()
  return {
    get: (name: string): Runtime | undefined => {
      const known = thawed.get(name)
      if (known !== undefined) return known
      const value = values.get(name)
      if (value === undefined) return undefined
      const runtime = thaw(value)
      thawed.set(name, runtime)
      return runtime
    },
    all: () => values.keys()
  }
}

const cache = new ParseCache<Expression>()

const evaluateExpression = (when: string, scope: ValueMap): Either.Either<boolean, ConditionError> => {
  const names = flatten(scope)
  return attempt(when, names, (expression) =>
    isTrue(new ConditionEvaluator(new Budget(), namesOf(names)).evaluate(expression))
  )
}

/** Why an expression can have no value whatever the names stand for; its form is `expr`. Nothing is evaluated. */
export const expressionFault = (when: string): ConditionError | undefined =>
  Option.getOrUndefined(Either.getLeft(attempt(when, new Map(), () => undefined)))

/** An expression as it was written; undefined for one that cannot be read. Nothing is evaluated. */
export const readExpression = (when: string): Expression | undefined =>
  Either.getOrUndefined(attempt(when, new Map(), (expression) => expression))

const attempt = <A>(
  when: string,
  names: ReadonlyMap<string, Value>,
  use: (expression: Expression) => A
): Either.Either<A, ConditionError> => {
  const text = strip(when)
  try {
    return Either.right(use(cache.get(text, () => parseCondition(text))))
  } catch (cause) {
    if (cause instanceof Fault) return Either.left(errorOf(cause, text, names))
    if (cause instanceof RangeError) return Either.left(errorOf(budgetFault("nested too deeply"), text, names))
    throw cause
  }
}

const otherSpellings: ReadonlyMap<string, string> = new Map([
  ["true", "True"],
  ["false", "False"],
  ["none", "None"],
  ["null", "None"]
])

/** `step.output.x` is written `step_output.x` here, so the flattened name is what was meant most often. */
const meant = (name: string, text: string, names: ReadonlyMap<string, Value>): string | undefined => {
  const spelling = otherSpellings.get(name.toLowerCase())
  if (spelling !== undefined) return spelling
  const start = text.indexOf(`${name}.`)
  const attribute = start < 0 ? undefined : /^[\p{L}\p{N}_]+/u.exec(text.slice(start + name.length + 1))?.[0]
  const flattened = `${name}_${attribute ?? ""}`
  return names.has(flattened) ? flattened : nearest(name, names.keys())
}

const errorOf = (fault: Fault, text: string, names: ReadonlyMap<string, Value>): ConditionError => {
  const isUnknown = fault instanceof UnknownName
  const subject = isUnknown ? fault.subject : undefined
  const suggestion = subject === undefined ? fault.suggestion : meant(subject, text, names)
  return new ConditionError({
    kind: isUnknown ? "unknown-name" : "expression",
    when: text,
    reason: fault.reason,
    column: (fault.offset ?? 0) + 1,
    ...(subject === undefined ? {} : { subject }),
    ...(suggestion === undefined ? {} : { suggestion })
  })
}
