/**
 * What is wrong at one place of a workflow file, in words for its author. Used by everything that reads the format,
 * so that all faults of a file are told together and in one style.
 */
import { Schema } from "effect"

/** A place in a file; lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

export const Problem = Schema.Struct({
  /** Dotted place in the document, such as `agents.0.routes.1.to`; empty for the document itself. */
  path: Schema.String,
  message: Schema.String,
  /** The file that holds the place: the workflow file, or one that it includes. */
  file: Schema.optionalWith(Schema.String, { exact: true }),
  line: Schema.optionalWith(Schema.Int, { exact: true }),
  column: Schema.optionalWith(Schema.Int, { exact: true }),
  suggestion: Schema.optionalWith(Schema.String, { exact: true })
})
export type Problem = typeof Problem.Type

/** Keys and indexes from the root of a document down to a place in it. */
export type Place = ReadonlyArray<string | number>

export const dotted = (place: Place): string => place.join(".")

/** One line: `file:line:column: place: message (suggestion)`, each part only when it is known. */
export const renderProblem = (problem: Problem, defaultFile: string): string => {
  const location = [problem.file ?? defaultFile, problem.line, problem.column].filter((part) => part !== undefined)
  const head = [location.join(":"), problem.path, problem.message].filter((part) => part !== "")
  return `${head.join(": ")}${problem.suggestion === undefined ? "" : ` (${problem.suggestion})`}`
}
