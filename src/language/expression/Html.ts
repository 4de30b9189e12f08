/** Escapes text for HTML, with the entities the reference uses. */
import { Markup, type Runtime } from "./Runtime.ts"

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["'", "&#39;"],
  ['"', "&#34;"]
])

export const escapeText = (text: string): string =>
  text.replace(/[&<>'"]/g, (character) => entities.get(character) ?? "")

/** `text` is how `value` prints; what is HTML already stays as it is. */
export const escapeHtml = (value: Runtime, text: string): string => (value instanceof Markup ? text : escapeText(text))
