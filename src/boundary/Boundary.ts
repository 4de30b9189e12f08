/**
 * The one way out for text that a model reads. Whatever comes from a workflow file, a run or a log goes through here
 * once: hidden characters, then secrets, then markers, then the cap.
 *
 * The order is the point. A secret with an escape sequence or a zero-width character inside is found only after these
 * are gone, and one that a cap cut in half would not be found at all.
 */
import { Context, Effect, Layer } from "effect"
import { type Json, toJson, type Value } from "../domain/Value.ts"
import { removeHidden } from "./HiddenCharacters.ts"
import { Redactor, type RedactorShape } from "./Redactor.ts"
import { capBytes, sanitiseDescription, sanitiseText } from "./Sanitiser.ts"
import { mapTexts } from "./ValueText.ts"

export interface BoundaryShape {
  /** Many lines; with `maxBytes` (UTF-8) cut to that size, with a visible note. */
  readonly text: (text: string, options?: { readonly maxBytes?: number }) => string
  /** Plain JSON with every text and key cleaned, at most 64 levels deep. Not capped: the reader pages it. */
  readonly value: (value: Value) => Json
  /** One line of at most 500 code points. */
  readonly description: (text: string) => string
}

export const makeBoundary = (redactor: RedactorShape): BoundaryShape => ({
  text: (text, { maxBytes } = {}) => {
    const clean = sanitiseText(redactor.redactText(removeHidden(text)))
    return maxBytes === undefined ? clean : capBytes(clean, maxBytes)
  },
  value: (value) => toJson(mapTexts(redactor.redactValue(mapTexts(value, removeHidden)), sanitiseText)),
  description: (text) => sanitiseDescription(redactor.redactText(removeHidden(text)))
})

export class Boundary extends Context.Tag("conductor/Boundary")<Boundary, BoundaryShape>() {
  static readonly layer: Layer.Layer<Boundary, never, Redactor> = Layer.effect(
    Boundary,
    Effect.map(Redactor, makeBoundary)
  )
}
