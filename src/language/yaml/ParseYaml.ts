/**
 * Reads YAML text into positioned nodes. Whatever the text is, the answer is a tree or a list of problems with
 * positions, never a crash and never an expansion that outgrows memory.
 */
import { Either } from "effect"
import { Composer, LineCounter, Parser, type Document } from "yaml"
import type { Problem } from "../Problem.ts"
import { convertDocument } from "./ConvertDocument.ts"
import { MAX_DEPTH, tokenBelow } from "./Depth.ts"
import type { YamlNode } from "./YamlNode.ts"

export type Problems = readonly [Problem, ...ReadonlyArray<Problem>]

/** More would repeat one mistake: a lost quote makes a fault of every following line. */
const MAX_SYNTAX_PROBLEMS = 5

const isNonEmpty = (problems: ReadonlyArray<Problem>): problems is Problems => problems.length > 0

/** Scalars stay text with their style (`failsafe`), since what a plain one means is decided by `plainScalar`. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, stringKeys: false } as const

const problemAt = (offset: number, message: string, lines: LineCounter, file: string): Problem => {
  const { col, line } = lines.linePos(offset)
  return { path: "", message: `YAML syntax error at line ${line}, column ${col}: ${message}`, file, line, column: col }
}

const syntaxProblems = (
  documents: ReadonlyArray<Document.Parsed>,
  lines: LineCounter,
  file: string
): ReadonlyArray<Problem> => {
  const [document, second] = documents
  const errors = (document?.errors ?? []).slice(0, MAX_SYNTAX_PROBLEMS)
  const problems = errors.map(({ message, pos }) => problemAt(pos[0], message, lines, file))
  if (second === undefined || problems.length > 0) return problems
  return [problemAt(second.range[0], "a second document begins; a workflow is one document", lines, file)]
}

const parse = (text: string, file: string): Either.Either<YamlNode | null, Problems> => {
  const lines = new LineCounter()
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  const deep = tokenBelow(tokens, MAX_DEPTH)
  if (deep !== undefined) return Either.left([problemAt(deep.offset, "the document is nested too deeply", lines, file)])
  const documents = [...new Composer(OPTIONS).compose(tokens, true, text.length)]
  const syntax = syntaxProblems(documents, lines, file)
  if (isNonEmpty(syntax)) return Either.left(syntax)
  const { node, problems } = convertDocument(documents[0]?.contents ?? null, lines, file)
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
    return Either.left([{ path: "", message: `unreadable YAML: ${String(cause)}`, file, line: 1, column: 1 }])
  }
}
