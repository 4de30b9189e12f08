/**
 * Takes secrets out of text: the values that this process knows to be secret, in every spelling in which they travel,
 * and whatever has the shape of a well-known kind of secret. Each becomes `[REDACTED:<kind>]`.
 */
import { Context, Effect, Layer } from "effect"
import type { Value } from "../domain/Value.ts"
import { Environment } from "../platform/Environment.ts"
import { makeRedactionStream, type RedactionStream } from "./RedactionStream.ts"
import { makeSecretFinder, replaceSpans } from "./SecretSpans.ts"
import { secretsOf, spellingsOf } from "./SecretValues.ts"
import { mapTexts } from "./ValueText.ts"

export interface RedactorShape {
  readonly redactText: (text: string) => string
  /** Every text of a value, keys too. An entry is judged with its key, as the line `key: value` would be. */
  readonly redactValue: (value: Value) => Value
  /** For text that arrives in chunks; each stream has its own state. */
  readonly stream: () => RedactionStream
}

/** A redactor that knows these values, besides the shapes that it always knows. */
export const makeRedactor = (secrets: Iterable<string>): RedactorShape => {
  const finder = makeSecretFinder(spellingsOf(secrets))
  const redactText = (text: string): string => replaceSpans(text, finder.find(text))
  const redactEntry = (text: string, key?: string): string => {
    if (key === undefined) return redactText(text)
    const label = `${key}: `
    const line = redactText(label + text)
    return line.startsWith(label) ? line.slice(label.length) : redactText(text)
  }
  return {
    redactText,
    redactValue: (value) => mapTexts(value, redactEntry),
    stream: () => makeRedactionStream(finder)
  }
}

export class Redactor extends Context.Tag("conductor/Redactor")<Redactor, RedactorShape>() {
  /** Knows the secrets of the environment. */
  static readonly layer: Layer.Layer<Redactor, never, Environment> = Layer.effect(
    Redactor,
    Effect.map(Environment, ({ variables }) => makeRedactor(secretsOf(variables)))
  )

  /** Knows the secrets of the environment and these values, such as a token made by this process. */
  static layerWith(secrets: Iterable<string>): Layer.Layer<Redactor, never, Environment> {
    return Layer.effect(
      Redactor,
      Effect.map(Environment, ({ variables }) => makeRedactor([...secretsOf(variables), ...secrets]))
    )
  }

  /** Changes nothing: for tests that look at what was said. */
  static readonly layerIdentity: Layer.Layer<Redactor> = Layer.succeed(Redactor, {
    redactText: (text) => text,
    redactValue: (value) => value,
    stream: () => ({ push: (chunk) => chunk, flush: () => "" })
  })
}
