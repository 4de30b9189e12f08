/** `questions[]` of a `questions` step: what a person is asked, one after another. */
import { Schema } from "effect"
import { closed, list, optional, withDefault } from "./Keyed.ts"
import { Flag, Text, Texts } from "./Scalars.ts"

export const Question = closed({
  id: optional(Text),
  text: Text,
  hint: optional(Text),
  choices: withDefault(Texts, []),
  allow_free_text: withDefault(Flag, true),
  default: optional(Text),
  required: withDefault(Flag, false),
  multiline: withDefault(Flag, true)
}).pipe(
  Schema.filter(({ allow_free_text, choices }) =>
    choices.length === 0 && !allow_free_text ? "a question needs choices unless allow_free_text is true" : undefined
  )
)
export type Question = typeof Question.Type

export const Questions = list(Question)
