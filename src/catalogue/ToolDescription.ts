/** What a model reads about a workflow: the author's words, cleaned, then facts that are ours. At most 1 KB of UTF-8. */
import { sanitiseDescription } from "../boundary/Sanitiser.ts"
import type { CatalogueEntry } from "./CatalogueEntry.ts"

const MAX_BYTES = 1024

/** As many whole characters as fit, with an ellipsis when some did not. */
const clip = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const ellipsis = "…"
  let room = maxBytes - Buffer.byteLength(ellipsis)
  const kept: Array<string> = []
  for (const character of text) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    kept.push(character)
  }
  return `${kept.join("").trimEnd()}${ellipsis}`
}

/** `<text> (<mode>; ~N min)`; a degraded workflow also says what is not known of it, and what a caller can do. */
export const toolDescription = (workflow: {
  readonly title: string
  readonly description: string | undefined
  readonly mode: CatalogueEntry["mode"]
  readonly estimatedMinutes: number | undefined
  readonly degraded: string | undefined
}): string => {
  const { degraded, estimatedMinutes, mode } = workflow
  const words =
    sanitiseDescription(workflow.description ?? "") || `Runs the workflow '${sanitiseDescription(workflow.title)}'.`
  const suffix = estimatedMinutes === undefined ? ` (${mode})` : ` (${mode}; ~${estimatedMinutes} min)`
  const warning =
    degraded === undefined
      ? ""
      : ` Its parameters are not known (${clip(sanitiseDescription(degraded), 300)}); inputs are passed on by name, unchecked.`
  const facts = `${suffix}${warning}`
  return `${clip(words, MAX_BYTES - Buffer.byteLength(facts))}${facts}`
}
