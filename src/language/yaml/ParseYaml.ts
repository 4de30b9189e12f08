/**
 * Reads YAML text into positioned nodes. Whatever the text is, the answer is a tree or a list of problems with
 * positions, never a crash and never an expansion that outgrows memory.
 */
import { Either } from "effect"
import { LineCounter, type Document } from "yaml"
import type { Problem } from "../Problem.ts"
import { composeYaml } from "./ComposeYaml.ts"
import { convertDocument } from "./ConvertDocument.ts"
import { sizeFault } from "./Limits.ts"
import type { YamlNode } from "./YamlNode.ts"

export type Problems = readonly [Problem, ...ReadonlyArray<Problem>]

/** More would repeat one mistake: a lost quote makes a fault of every following line. */
const MAX_SYNTAX_PROBLEMS = 5

const isNonEmpty = (problems: ReadonlyArray<Problem>): problems is Problems => problems.length > 0

const problemAt = (offset: number, message: string, lines: LineCounter, file: string): Problem => {
  const { col, line } = lines.linePos(offset)
  return { path: "", message: `YAML syntax error at line ${line}, column ${col}: ${message}`, file, line, column: col }
}

const syntaxProblems = (
  [document, second]: ReadonlyArray<Document.Parsed>,
  lines: LineCounter,
  file: string
): ReadonlyArray<Problem> => {
  const errors = (document?.errors ?? []).slice(0, MAX_SYNTAX_PROBLEMS)
  const problems = errors.map(({ message, pos }) => problemAt(pos[0], message, lines, file))
  if (second === undefined || problems.length > 0) return problems
  return [problemAt(second.range[0], "a second document begins; a workflow is one document", lines, file)]
}

const parse = (text: string, file: string): Either.Either<YamlNode | null, Problems> => {
  const lines = new LineCounter()
  const composed = composeYaml(text, lines.addNewLine)
  if (Either.isLeft(composed)) {
    return Either.left([problemAt(composed.left.offset, composed.left.reason, lines, file)])
  }
  const syntax = syntaxProblems(composed.right, lines, file)
  if (isNonEmpty(syntax)) return Either.left(syntax)
  const { node, problems } = convertDocument(composed.right[0]?.contents ?? null, lines, file)
  return isNonEmpty(problems) ? Either.left(problems) : Either.right(node)
}

const unreadable = (message: string, file: string): Either.Either<never, Problems> =>
  Either.left([{ path: "", message, file, line: 1, column: 1 }])

/**
 * `null` stands for an empty document. Problems are text that is too long or too deep, syntax errors, repeated keys, keys
 * that are not strings, unknown tags, and aliases that contain themselves or expand without measure.
 */
export const parseYaml = (text: string, file: string): Either.Either<YamlNode | null, Problems> => {
  const tooLong = sizeFault(Buffer.byteLength(text))
  if (tooLong !== undefined) return unreadable(tooLong, file)
  try {
    return parse(text.startsWith("\uFEFF") ? text.slice(1) : text, file)
  } catch (cause) {
    return unreadable(`unreadable YAML: ${String(cause)}`, file)
  }
}
