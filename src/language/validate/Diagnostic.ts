/** What validation says about a workflow that loads: an error would fail a run, a warning may surprise its author. */
import { dotted, renderProblem, type Place, type Position } from "../Problem.ts"

type Severity = "error" | "warning"

/** What a rule finds, before it is tied to a position. */
export interface Finding {
  readonly severity: Severity
  readonly place: Place
  readonly message: string
  readonly suggestion?: string
  /** Given when it is not that of the place, such as one inside an included file. */
  readonly position?: Position
}

export interface Diagnostic {
  readonly severity: Severity
  /** Name of the rule, stable, for filters and documentation. */
  readonly rule: string
  readonly message: string
  /** Dotted place in the document. */
  readonly path: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly suggestion?: string
}

export const error = (place: Place, message: string, suggestion?: string): Finding => ({
  severity: "error",
  place,
  message,
  ...(suggestion === undefined ? {} : { suggestion })
})

export const warning = (place: Place, message: string, suggestion?: string): Finding => ({
  ...error(place, message, suggestion),
  severity: "warning"
})

export const diagnosticOf = (
  rule: string,
  { message, place, position, severity, suggestion }: Finding,
  at: Position
): Diagnostic => ({
  severity,
  rule,
  message,
  path: dotted(place),
  ...(position ?? at),
  ...(suggestion === undefined ? {} : { suggestion })
})

/** One line: `file:line:column: severity: place: message (suggestion)`. */
export const renderDiagnostic = (diagnostic: Diagnostic): string =>
  renderProblem(
    { ...diagnostic, path: [diagnostic.severity, diagnostic.path].filter((part) => part !== "").join(": ") },
    ""
  )
