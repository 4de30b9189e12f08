/** The text of a value as templates print it. */
import { Either, Option } from "effect"
import type { Value } from "../domain/Value.ts"
import { renderTemplate } from "../language/template/Template.ts"

/** None for a value that is too large to print. */
export const printedValue = (value: Value): Option.Option<string> =>
  Either.getRight(renderTemplate("{{ value }}", { value }))
