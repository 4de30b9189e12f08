/** Runs one case of `templates.json`. */
import { Either } from "effect"
import { renderTemplate } from "../../../src/language/template/Template.ts"
import { get, type ValueMap } from "../../../src/domain/Value.ts"
import { decodeMap, text } from "./Corpus.ts"

/** `null` when the case passes, otherwise why it fails. */
export const runTemplateCase = (entry: ValueMap): string | null => {
  const rendered = renderTemplate(text(entry, "template") ?? "", decodeMap(get(entry, "context")))
  const kind = text(entry, "error")
  if (kind === undefined) {
    if (Either.isLeft(rendered)) return `failed: ${rendered.left.message}`
    const accepted = [text(entry, "expected"), text(entry, "alsoAccept")]
    return accepted.includes(rendered.right)
      ? null
      : `rendered ${JSON.stringify(rendered.right)}, not ${JSON.stringify(accepted[0])}`
  }
  if (Either.isRight(rendered)) return `rendered ${JSON.stringify(rendered.right)}, not an error of kind ${kind}`
  const error = rendered.left
  if (error.kind !== kind) return `failed with kind ${error.kind}, not ${kind}: ${error.message}`
  const name = text(entry, "errorName")
  return name === undefined || error.subject === name ? null : `failed for '${error.subject ?? ""}', not for '${name}'`
}
