/** Keys as a terminal gives them. */
import { Option } from "effect"
import type { Key } from "../../../../src/cli/follow/Keyboard.ts"

export const key = (name: string, modifiers: { readonly ctrl?: boolean } = {}): Key => ({
  input: Option.none(),
  key: { name, ctrl: modifiers.ctrl ?? false, meta: false, shift: false }
})

export const enter = key("return")
export const ctrlC = key("c", { ctrl: true })

/** One key for each character. */
export const typed = (text: string): ReadonlyArray<Key> =>
  [...text].map((character) => ({ ...key(character), input: Option.some(character) }))
