/**
 * The words that a command takes: flags with names, arguments by place. Each is a value, from which parsing, messages and
 * help are made. Loaded by every call, so it must not import Effect.
 */
import { nearest } from "../domain/NearMatch.ts"

type Decoded<A> = { readonly value: A } | { readonly problem: string }

export interface Flag<A> {
  readonly description: string
  /** One letter. */
  readonly alias?: string
  /** What stands for the value in help texts; a flag without one takes no value. */
  readonly placeholder?: string
  /** One text per occurrence, in order. `problem` completes a sentence that begins with the name of the flag. */
  readonly decode: (texts: ReadonlyArray<string>) => Decoded<A>
}

interface Words {
  readonly description: string
  readonly alias?: string
}

export const toggle = (words: Words): Flag<boolean> => ({
  ...words,
  decode: (texts) => ({ value: texts.length > 0 })
})

export const text = (words: Words & { readonly placeholder: string }): Flag<string | undefined> => ({
  ...words,
  decode: (texts) => (texts.includes("") ? { problem: "is empty; leave it out instead" } : { value: texts.at(-1) })
})

export const texts = (words: Words & { readonly placeholder: string }): Flag<ReadonlyArray<string>> => ({
  ...words,
  description: `${words.description}; repeatable`,
  decode: (given) => ({ value: given })
})

export const choice = <const C extends string>(
  words: Words & { readonly choices: ReadonlyArray<C>; readonly placeholder: string }
): Flag<C | undefined> => ({
  ...words,
  decode: (given) => {
    const asked = given.at(-1)
    const value = words.choices.find((candidate) => candidate === asked)
    if (asked === value) return { value }
    const near = nearest(asked ?? "", words.choices)
    const hint = near === undefined ? "" : `; did you mean '${near}'?`
    return { problem: `must be one of ${words.choices.join(", ")}, not '${asked}'${hint}` }
  }
})

/** A whole number that is not negative. */
export const count = (words: Words & { readonly fallback: number }): Flag<number> => ({
  ...words,
  description: `${words.description} (default: ${words.fallback})`,
  placeholder: "N",
  decode: (given) => {
    const asked = given.at(-1)
    if (asked === undefined) return { value: words.fallback }
    return /^\d{1,15}$/.test(asked)
      ? { value: Number(asked) }
      : { problem: `must be a whole number from 0 on, not '${asked}'` }
  }
})

export interface Argument {
  readonly description: string
  readonly presence: "required" | "optional"
}

export const required = (description: string) => ({ description, presence: "required" }) as const
export const optional = (description: string) => ({ description, presence: "optional" }) as const
