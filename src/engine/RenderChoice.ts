/** Templates that must yield one word of a fixed list, such as a reasoning effort (workflow language §3.2). */
import { Either } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import { nearest } from "../domain/NearMatch.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import { renderTemplate } from "../language/template/Template.ts"
import { ValidationError } from "./EngineErrors.ts"

/** A template that renders to nothing is a mistake, not "unset". `place` is the step with the key. */
export const renderChoice = <Word extends string>(
  template: string,
  words: ReadonlyArray<Word>,
  place: string,
  context: ValueMap
): Either.Either<Word, TemplateError | ValidationError> =>
  Either.flatMap(renderTemplate(template, context), (rendered) => {
    const text = rendered.trim()
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return Either.right(word)
    const near = nearest(text, words)
    const got = text === "" ? "an empty text" : `'${text}'`
    const remedy = near === undefined ? "" : `; did you mean '${near}'?`
    const message = `${place} rendered to ${got}, but must be one of ${words.join(", ")}${remedy}`
    return Either.left(new ValidationError({ message }))
  })
