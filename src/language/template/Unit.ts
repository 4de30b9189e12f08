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

const unknownReferences = ({ references }: ParsedTemplate, certainty: "always" | "in a branch"): ReadonlyArray<Fault> =>
  references
    .filter((reference) => reference.certainty === certainty && !tables[reference.kind].has(reference.name))
    .map(({ kind, name, offset }) => {
      const fault = unknownReference(kind, name, "syntax")
      fault.offset = offset
      return fault
    })

/** A filter that does not exist is an error of the template, unless it stands in a branch that may never run. */
const checkReferences = (parsed: ParsedTemplate): void => {
  const [fault] = unknownReferences(parsed, "always")
  if (fault !== undefined) throw fault
}

/** What fails only if its branch is ever rendered. */
export const faultsInBranches = (unit: Unit): ReadonlyArray<Fault> =>
  unknownReferences(unit, "in a branch").map((fault) => {
    fault.source = { text: unit.source, name: unit.name }
    return fault
  })

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
