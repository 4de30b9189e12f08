/**
 * The template engine of the workflow language (§3.1): Jinja 3.1 with strict undefined values, as pure functions from
 * text and context to text. It has no access to anything but the values it is given, and every rendering is bounded.
 */
import { Either } from "effect"
import type { ValueMap } from "../../domain/Value.ts"
import { Budget, type BudgetLimits, defaultLimits } from "../expression/Budget.ts"
import { budgetFault, Fault } from "../expression/Fault.ts"
import { globals } from "./Globals.ts"
import { Renderer } from "./Renderer.ts"
import { Context } from "./Scope.ts"
import { type TemplateError, templateErrorOf } from "./TemplateError.ts"
import { type TemplateLoader, Templates } from "./Templates.ts"
import type { Unit } from "./Unit.ts"
import { UnitCache } from "./UnitCache.ts"

/** A parsed template; it can be rendered any number of times. */
export interface Template {
  readonly unit: Unit
}

export interface RenderOptions {
  /** Shown in errors; for prompts from files, the file's name. */
  readonly name?: string
  /** For prompts from files: the templates that `include`, `import` and `extends` may name. */
  readonly loader?: TemplateLoader
  readonly limits?: Partial<BudgetLimits>
}

/** Parsing depends on the text alone, so sharing the result between renderings changes nothing but speed. */
const cache = new UnitCache()

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

/** Fails with kind `syntax`, also for filters and tests that do not exist. */
export const parseTemplate = (
  source: string,
  options: Pick<RenderOptions, "name"> = {}
): Either.Either<Template, TemplateError> => attempt(() => ({ unit: cache.get(source, options.name) }))

/** Renders text or a parsed template; the context is never changed. */
export const renderTemplate = (
  template: Template | string,
  context: ValueMap,
  options: RenderOptions = {}
): Either.Either<string, TemplateError> =>
  attempt(() => {
    const unit = typeof template === "string" ? cache.get(template, options.name) : template.unit
    const budget = new Budget({ ...defaultLimits, ...options.limits })
    const templates = new Templates(cache, options.loader)
    return new Renderer(budget, new Context(context, globals), new Context({}, globals), templates).render(unit)
  })
