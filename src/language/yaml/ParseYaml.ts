/**
 * Reads YAML text into positioned nodes. Whatever the text is, the answer is a tree or a list of problems with
 * positions, never a crash and never an expansion that outgrows memory.
 */
import { Either } from "effect"
import { LineCounter, parseDocument } from "yaml"
import type { Problem } from "../Problem.ts"
import { convertDocument } from "./ConvertDocument.ts"
import type { YamlNode } from "./YamlNode.ts"

export type Problems = readonly [Problem, ...ReadonlyArray<Problem>]

/** More would repeat one mistake: a lost quote makes a fault of every following line. */
const MAX_SYNTAX_PROBLEMS = 5

const isNonEmpty = (problems: ReadonlyArray<Problem>): problems is Problems => problems.length > 0

/** Scalars stay text with their style (`failsafe`), since what a plain one means is decided by `plainScalar`. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, stringKeys: false, logLevel: "silent" } as const

const parse = (text: string, file: string): Either.Either<YamlNode | null, Problems> => {
  const lines = new LineCounter()
  const document = parseDocument(text, { ...OPTIONS, lineCounter: lines })
  const syntax = document.errors.slice(0, MAX_SYNTAX_PROBLEMS).map((error): Problem => {
    const { line, col } = lines.linePos(error.pos[0])
    const message = `YAML syntax error at line ${line}, column ${col}: ${error.message}`
    return { path: "", message, file, line, column: col }
  })
  if (isNonEmpty(syntax)) return Either.left(syntax)
  const { node, problems } = convertDocument(document, lines, file)
  return isNonEmpty(problems) ? Either.left(problems) : Either.right(node)
}

/**
 * `null` stands for an empty document. Problems are syntax errors, repeated keys, keys that are not strings, unknown tags,
 * and aliases that contain themselves or expand without measure.
 */
export const parseYaml = (text: string, file: string): Either.Either<YamlNode | null, Problems> => {
  try {
    return parse(text.startsWith("\uFEFF") ? text.slice(1) : text, file)
  } catch (cause) {
    // The YAML library recurses into nested collections and has no depth limit of its own.
    const message = cause instanceof RangeError ? "the document is nested too deeply" : `unreadable YAML: ${String(cause)}`
    return Either.left([{ path: "", message, file, line: 1, column: 1 }])
  }
}
