/** One template source, parsed: what a rendering, an include or an import runs. */
import { Fault } from "../expression/Fault.ts"
import { nearest } from "../../domain/NearMatch.ts"
import { filters } from "./Filters.ts"
import { normalizeNewlines } from "./Lexer.ts"
import { parse } from "./ParseTemplate.ts"
import type { ParsedTemplate } from "./StatementParser.ts"
import { tests } from "./Tests.ts"

export interface Unit extends ParsedTemplate {
  readonly name: string | undefined
  /** With normalised newlines; the offsets of the parsed template count in it. */
  readonly source: string
}

const tables = { filter: filters, test: tests } as const

export const unknownReference = (kind: "filter" | "test", name: string, fault: "syntax" | "other"): Fault => {
  const unknown = new Fault(
    fault,
    fault === "syntax" ? `No ${kind} named '${name}'.` : `No ${kind} named '${name}' found.`,
    name
  )
  unknown.suggestion = nearest(name, tables[kind].keys())
  return unknown
}

/** A filter that does not exist is an error of the template, unless it stands in a branch that may never run. */
const checkReferences = (parsed: ParsedTemplate): void => {
  for (const { certainty, kind, name, offset } of parsed.references) {
    if (certainty === "in a branch" || tables[kind].has(name)) continue
    const fault = unknownReference(kind, name, "syntax")
    fault.offset = offset
    throw fault
  }
}

/** Throws a `Fault` that knows its place. */
export const parseUnit = (text: string, name: string | undefined): Unit => {
  const source = normalizeNewlines(text)
  try {
    const parsed = parse(source)
    checkReferences(parsed)
    return { ...parsed, name, source }
  } catch (cause) {
    if (cause instanceof Fault) cause.source ??= { text: source, name }
    throw cause
  }
}
