/** Computes values from templates (workflow language §5.16). Bindings see the context before the step, not each other. */
import { Effect, Either } from "effect"
import { isMap, stringifyJson, type Value } from "../../domain/Value.ts"
import { parseSetTyped, parseSetValue, type CoercionError } from "../../language/Coercion.ts"
import type { SetNode, SetOutputType } from "../../language/PlanNode.ts"
import type { TemplateError } from "../../language/template/TemplateError.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import { ExecutionError, failureOf, ValidationError, type EngineError } from "../EngineErrors.ts"
import { shapeOf, validateOutput } from "../OutputValidation.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

const MAX_SHOWN = 512

type Run = StepRun<SetNode>
type Computed = Either.Either<Value, EngineError>

/** `place` is the step, or one of its values. */
const unreadable =
  (place: string) =>
  (error: TemplateError | CoercionError): EngineError =>
    error._tag === "TemplateError" ? error : new ExecutionError({ message: `${place}: ${error.message}` })

const single = (template: string, type: SetOutputType, { context, step }: Run): Computed =>
  renderTemplate(template, context).pipe(
    Either.flatMap((text) => parseSetTyped(type, text)),
    Either.mapLeft(unreadable(`Step '${step.name}'`))
  )

const several = (templates: Readonly<Record<string, string>>, { context, step }: Run): Computed =>
  Either.all(
    Object.fromEntries(
      Object.entries(templates).map(([name, template]) => [
        name,
        renderTemplate(template, context).pipe(
          Either.flatMap(parseSetValue),
          Either.mapLeft(unreadable(`Step '${step.name}', value '${name}'`))
        )
      ])
    )
  )

const checked = (value: Value, { step }: Run): Computed => {
  if (step.output === undefined) return Either.right(value)
  if (isMap(value)) return validateOutput(step.name, step.output, value)
  const message = `Step '${step.name}': an output schema needs an object, got ${shapeOf(value)}`
  return Either.left(new ValidationError({ message }))
}

const compute = (run: Run): Computed => {
  const { binding } = run.step
  const value =
    binding._tag === "Single" ? single(binding.value, binding.output_type, run) : several(binding.values, run)
  return Either.flatMap(value, (value) => checked(value, run))
}

const preview = (value: Value): string => {
  const text = stringifyJson(value)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 3)}...`
}

/** Sorted, as in the reference's events. */
const keys = (value: Value): ReadonlyArray<string> => (isMap(value) ? Object.keys(value).sort() : [])

/** Gives the value, too, for a group that stores it under its own name. */
export const runSetStep = (run: Run): StepEffect<never, Value> =>
  Effect.gen(function* () {
    const { execution, journal, step } = run
    const elapsed = yield* stopwatch
    yield* journal.append("set_started", { agent_name: step.name, iteration: execution })
    const value = compute(run)
    if (Either.isLeft(value)) {
      const failure = failureOf(value.left)
      yield* journal.append("set_failed", { agent_name: step.name, elapsed: yield* elapsed, ...failure })
      return yield* value.left
    }
    yield* journal.append("set_completed", {
      agent_name: step.name,
      elapsed: yield* elapsed,
      output_type: step.binding._tag === "Single" ? step.binding.output_type : "auto",
      output_keys: keys(value.right),
      value_repr: preview(value.right),
      output: value.right
    })
    return value.right
  })
