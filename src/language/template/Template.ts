/**
 * The template engine of the workflow language (§3.1): Jinja 3.1 with strict undefined values, as pure functions from
 * text and context to text. It has no access to anything but the values it is given, and every rendering is bounded.
 */
import { Either, Option } from "effect"
import { parseJson, type Value, type ValueMap } from "../../domain/Value.ts"
import { Budget, type BudgetLimits, defaultLimits } from "../expression/Budget.ts"
import { budgetFault, Fault } from "../expression/Fault.ts"
import { ParseCache } from "../expression/ParseCache.ts"
import { globals } from "./Globals.ts"
import { namesInBody } from "./NamedTemplates.ts"
import { Renderer } from "./Renderer.ts"
import { Context } from "./Scope.ts"
import { type TemplateError, templateErrorOf } from "./TemplateError.ts"
import { type TemplateLoader, Templates } from "./Templates.ts"
import { faultsInBranches, parseUnit, type Unit } from "./Unit.ts"

export interface RenderOptions {
  /** Shown in errors; for prompts from files, the file's name. */
  readonly name?: string
  /** For prompts from files: the templates that `include`, `import` and `extends` may name. */
  readonly loader?: TemplateLoader
  readonly limits?: Partial<BudgetLimits>
}

const cache = new ParseCache<Unit>()

const unitOf = (text: string, name: string | undefined): Unit =>
  cache.get(`${name ?? ""}\0${text}`, () => parseUnit(text, name))

/** Faults become error values here; an exhausted stack is one of them, other exceptions are defects and pass. */
const attempt = <A>(run: () => A): Either.Either<A, TemplateError> => {
  try {
    return Either.right(run())
  } catch (cause) {
    if (cause instanceof Fault) return Either.left(templateErrorOf(cause))
    if (cause instanceof RangeError) return Either.left(templateErrorOf(budgetFault("nested too deeply")))
    throw cause
  }
}

const render = (unit: Unit, context: ValueMap, { limits, loader }: RenderOptions = {}): string => {
  const budget = new Budget({ ...defaultLimits, ...limits })
  const templates = new Templates(unitOf, loader)
  return new Renderer(budget, new Context(context, globals), new Context({}, globals), templates).render(unit)
}

/** The context is never changed. Filters and tests that do not exist are errors of kind `syntax`. */
export const renderTemplate = (
  template: string,
  context: ValueMap,
  options: RenderOptions = {}
): Either.Either<string, TemplateError> => attempt(() => render(unitOf(template, options.name), context, options))

/** The unit with its expression written as JSON, if it is one `{{ expression }}` and nothing else. */
const asJson = (unit: Unit): Unit | undefined => {
  const [print, ...others] = unit.body
  if (print?.kind !== "print" || others.length > 0) return undefined
  const { offset, value: target } = print
  const value = { kind: "filter", name: "json", target, args: { positional: [], named: [] }, offset } as const
  return { ...unit, body: [{ ...print, value }] }
}

const readJson = Option.liftThrowable(parseJson)

/**
 * Like `renderTemplate`, but a template that is one `{{ expression }}` and nothing else gives the value of the
 * expression with its type. A value that JSON does not have becomes its text.
 */
export const evaluateTemplate = (template: string, context: ValueMap): Either.Either<Value, TemplateError> =>
  attempt((): Value => {
    const unit = unitOf(template, undefined)
    const json = asJson(unit)
    if (json === undefined) return render(unit, context)
    return Option.getOrElse(readJson(render(json, context)), () => render(unit, context))
  })

/** What its `include`, `import` and `extends` name in so many words; nothing of a template that does not parse. */
export const namedTemplates = (template: string, name: string): ReadonlyArray<string> =>
  Either.match(
    attempt(() => unitOf(template, name)),
    { onLeft: () => [], onRight: ({ body }) => namesInBody(body) }
  )

/** What is wrong with a template whatever its context holds. */
export interface TemplateFault {
  /** Whether every rendering fails, or only one that comes to the place. */
  readonly certainty: "always" | "in a branch"
  readonly error: TemplateError
}

/** Syntax errors, and filters and tests that do not exist. Nothing is rendered. */
export const templateFaults = (template: string): ReadonlyArray<TemplateFault> =>
  Either.match(
    attempt(() => unitOf(template, undefined)),
    {
      onLeft: (error): ReadonlyArray<TemplateFault> => [{ certainty: "always", error }],
      onRight: (unit) =>
        faultsInBranches(unit).map((fault) => ({ certainty: "in a branch", error: templateErrorOf(fault) }))
    }
  )
