/** Parses a whole template; says for each tag who parses it. */
import { tokenize } from "./Lexer.ts"
import { type ParsedTemplate, type ParseTag, StatementParser, type Tags } from "./StatementParser.ts"
import { parseSet, parseWith } from "./statements/Assignment.ts"
import { parseBlock, parseExtends } from "./statements/Blocks.ts"
import { parseFor } from "./statements/For.ts"
import { parseIf } from "./statements/If.ts"
import { parseFrom, parseImport, parseInclude } from "./statements/Imports.ts"
import { parseCall, parseMacro } from "./statements/Macros.ts"
import { parseAutoescape, parseFilter, parsePrint } from "./statements/Print.ts"
import { TemplateTokens } from "./TemplateTokens.ts"

const tags: Tags = new Map<string, ParseTag>([
  ["for", parseFor],
  ["if", parseIf],
  ["set", parseSet],
  ["with", parseWith],
  ["macro", parseMacro],
  ["call", parseCall],
  ["filter", parseFilter],
  ["autoescape", parseAutoescape],
  ["block", parseBlock],
  ["print", parsePrint],
  ["extends", parseExtends],
  ["include", parseInclude],
  ["import", parseImport],
  ["from", parseFrom]
])

/** `source` has normalised newlines. Throws a syntax `Fault`. */
export const parse = (source: string): ParsedTemplate => {
  const tokens = tokenize(source)
  const last = tokens.at(-1) ?? { kind: "end", text: "", value: null, offset: source.length }
  return new StatementParser(new TemplateTokens(tokens, last), tags).template()
}
