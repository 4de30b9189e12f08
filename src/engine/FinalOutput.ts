/** What a run gives back: a map of templates, each rendered over everything and read as data (workflow language §5.24). */
import { Either } from "effect"
import type { Value, ValueMap } from "../domain/Value.ts"
import { parseFinalOutput } from "../language/Coercion.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import { renderTemplate } from "../language/template/Template.ts"

/** The first template that fails decides; the order is the author's. */
export const renderOutput = (
  templates: Readonly<Record<string, string>>,
  context: ValueMap
): Either.Either<ValueMap, TemplateError> => {
  const entries: Array<readonly [string, Value]> = []
  for (const [name, template] of Object.entries(templates)) {
    const text = renderTemplate(template, context)
    if (Either.isLeft(text)) return Either.left(text.left)
    entries.push([name, parseFinalOutput(text.right)])
  }
  return Either.right(Object.fromEntries(entries))
}
