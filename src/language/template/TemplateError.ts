/** Why a template could not be parsed or rendered, with the place, and what its author may have meant. */
import { Schema } from "effect"
import type { Fault } from "../expression/Fault.ts"

export class TemplateError extends Schema.TaggedError<TemplateError>()("TemplateError", {
  /** `type`: a value of the wrong type; `budget`: the template asks for more than a rendering may use. */
  kind: Schema.Literal("undefined", "syntax", "type", "other", "budget"),
  /** The name that is undefined or unknown; `name` is taken by what every error has. */
  subject: Schema.optional(Schema.String),
  /** The name of the template the place is in, if it has one. */
  template: Schema.optional(Schema.String),
  /** A template that could not be loaded. */
  notFound: Schema.optional(Schema.String),
  /** Both count from 1; columns count UTF-16 units. */
  line: Schema.Number,
  column: Schema.Number,
  reason: Schema.String,
  suggestion: Schema.optional(Schema.String)
}) {
  override get message(): string {
    const place = `${this.template === undefined ? "" : `${this.template}, `}line ${this.line}, column ${this.column}`
    const hint = this.suggestion === undefined ? "" : `. Did you mean '${this.suggestion}'?`
    return `${this.#headline()} (${place})${hint}`
  }

  #headline(): string {
    const reason = this.reason.replace(/\.$/, "")
    if (this.notFound !== undefined) return `Template not found: '${this.notFound}'. ${reason}`
    switch (this.kind) {
      case "undefined":
        return `Undefined variable in template: ${reason}`
      case "syntax":
        return `Template syntax error: ${reason}`
      case "budget":
        return `Template rendering failed: the template needs too much: ${reason}`
      default:
        return `Template rendering failed: ${reason}`
    }
  }
}

/** The line and column of an offset; both count from 1. */
const placeOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, column: offset - lineStart + 1 }
}

export const templateErrorOf = (fault: Fault): TemplateError => {
  const { kind, notFound, reason, source, subject, suggestion } = fault
  const template = source?.name
  return new TemplateError({
    kind,
    reason,
    ...placeOf(source?.text ?? "", fault.offset ?? 0),
    ...(subject === undefined ? {} : { subject }),
    ...(template === undefined ? {} : { template }),
    ...(notFound === undefined ? {} : { notFound }),
    ...(suggestion === undefined ? {} : { suggestion })
  })
}
