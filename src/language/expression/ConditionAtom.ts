/**
 * The smallest parts of conditions: names, constants, texts, and what stands in brackets. Collections and comprehensions
 * are read, so that mistakes in them are found, and are not supported.
 */
import type { Expression, FormattedPart } from "./Ast.ts"
import { isKeyword, type RawPart } from "./ConditionLexer.ts"
import type { ConditionParser } from "./ConditionParser.ts"
import { Opaque } from "./Runtime.ts"
import { unsupported, unsupportedCollection } from "./Unsupported.ts"

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["True", true],
  ["False", false],
  ["None", null]
])

export const parseAtom = (parser: ConditionParser): Expression => {
  const { stream } = parser
  const token = stream.current
  const { offset } = token
  switch (token.kind) {
    case "value":
      stream.next()
      return { kind: "literal", value: token.value, offset }
    case "string":
    case "formatted":
      return parseStrings(parser, offset)
    case "bytes":
      while (stream.skip("bytes"));
      return { kind: "literal", value: new Opaque("bytes", "b''"), offset }
    case "name": {
      const constant = constants.get(token.text)
      if (constant === undefined && isKeyword(token.text)) throw parser.unexpected()
      stream.next()
      return constant === undefined
        ? { kind: "name", name: token.text, offset }
        : { kind: "literal", value: constant, offset }
    }
    default:
      break
  }
  if (stream.skip("operator", "...")) return { kind: "literal", value: new Opaque("ellipsis", "Ellipsis"), offset }
  if (stream.skip("operator", "(")) return parseParenthesised(parser, offset)
  if (stream.skip("operator", "[")) return parseDisplay(parser, "]", offset)
  if (stream.skip("operator", "{")) return parseDisplay(parser, "}", offset)
  throw parser.unexpected()
}

/** Texts that stand side by side are one; an f-string among them makes all an f-string. */
const parseStrings = (parser: ConditionParser, offset: number): Expression => {
  const { stream } = parser
  const parts: Array<string | FormattedPart> = []
  for (let token = stream.current; token.kind === "string" || token.kind === "formatted"; token = stream.current) {
    if (token.kind === "string") parts.push(token.value)
    else parts.push(...token.parts.map((part) => parsePart(parser, part)))
    stream.next()
  }
  const texts = parts.filter((part) => typeof part === "string")
  return texts.length === parts.length
    ? { kind: "literal", value: texts.join(""), offset }
    : { kind: "format", parts, offset }
}

const parsePart = (parser: ConditionParser, part: RawPart): string | FormattedPart => {
  if (typeof part === "string") return part
  const source = part.source.trimStart()
  const value = parser.embedded(source.trimEnd(), part.offset + part.source.length - source.length)
  return { value, specification: part.specification.map((inner) => parsePart(parser, inner)) }
}

const parseParenthesised = (parser: ConditionParser, offset: number): Expression => {
  if (parser.stream.skip("operator", ")")) return unsupportedCollection("a tuple", offset)
  const inner = parser.nested(() => parser.tuple())
  const isGenerator = skipComprehension(parser)
  parser.expect(")")
  return isGenerator ? unsupported("a generator", offset) : inner
}

/** List, map and set literals and comprehensions. */
const parseDisplay = (parser: ConditionParser, closer: "]" | "}", offset: number): Expression => {
  const { stream } = parser
  const isBraces = closer === "}"
  parser.nested(() => {
    while (!stream.is("operator", closer)) {
      if (isBraces && stream.skip("operator", "**")) parser.operand()
      else parser.starred()
      if (isBraces && stream.skip("operator", ":")) parser.expression()
      if (skipComprehension(parser) || !stream.skip("operator", ",")) break
    }
    if (!stream.skip("operator", closer)) throw parser.unexpected()
  })
  return unsupportedCollection(isBraces ? "a map or set" : "a list", offset)
}

/** Whether the loops of a comprehension were there and are now behind. */
export const skipComprehension = (parser: ConditionParser): boolean => {
  const { stream } = parser
  if (!stream.isAny("name", ["for", "async"])) return false
  while (stream.skip("name", "async") || stream.skip("name", "for")) {
    do parser.operand()
    while (stream.skip("operator", ","))
    if (!stream.skip("name", "in")) throw stream.fail("expected 'in'")
    parser.or()
    while (stream.skip("name", "if")) parser.or()
  }
  return true
}
