/** Turns what a schema says about a document into faults in the words of a workflow author. */
import { Predicate, SchemaAST, type ParseResult } from "effect"
import { didYouMean } from "../Suggestion.ts"
import type { Place } from "../Problem.ts"
import type { Fault } from "./Fault.ts"
import { hintFor } from "./Hints.ts"
import { describe } from "./Describe.ts"

type Issue = ParseResult.ParseIssue

const fault = (place: Place, message: string, suggestion?: string): Fault =>
  suggestion === undefined ? { place, message } : { place, message, suggestion }

/** The members that stand for "absent" in the union of an optional key; they say nothing about a value that is there. */
const isAbsence = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUndefinedKeyword(ast) || (SchemaAST.isLiteral(ast) && ast.literal === null)

/** The words that a schema of fixed words takes; empty for any other schema. */
const wordsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const members = (SchemaAST.isUnion(ast) ? ast.types : [ast]).filter((member) => !isAbsence(member))
  return members.every(SchemaAST.isLiteral) ? members.map(({ literal }) => String(literal)) : []
}

const expected = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isStringKeyword(ast)) return "expected text"
  return SchemaAST.isTupleType(ast) ? "expected a list" : `expected ${String(ast)}`
}

const quoteHint = (ast: SchemaAST.AST, actual: unknown): string | undefined => {
  const isCollection = Array.isArray(actual) || (typeof actual === "object" && describe(actual) === "a mapping")
  return SchemaAST.isStringKeyword(ast) && Predicate.isNotNullable(actual) && !isCollection
    ? "put it in quotes to make it text"
    : undefined
}

const wordFault = (words: ReadonlyArray<string>, actual: unknown, place: Place): Fault => {
  const message = `expected ${words.length === 1 ? "" : "one of "}${words.join(", ")}, got ${describe(actual)}`
  return fault(place, message, typeof actual === "string" ? didYouMean(actual, words) : undefined)
}

const mismatch = (issue: ParseResult.Type, place: Place): Fault => {
  const words = wordsOf(issue.ast)
  if (words.length > 0) return wordFault(words, issue.actual, place)
  if (issue.message !== undefined) return fault(place, issue.message)
  return fault(place, `${expected(issue.ast)}, got ${describe(issue.actual)}`, quoteHint(issue.ast, issue.actual))
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isTransformation(ast)) return keysOf(ast.from)
  return SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

const members = (issues: ParseResult.Composite["issues"]): ReadonlyArray<Issue> =>
  Array.isArray(issues) ? issues : [issues as Issue]

const union = (issue: ParseResult.Composite, place: Place): ReadonlyArray<Fault> => {
  const words = wordsOf(issue.ast)
  if (words.length > 0) return [wordFault(words, issue.actual, place)]
  const alternatives = members(issue.issues).filter((member) => !(member._tag === "Type" && isAbsence(member.ast)))
  return alternatives.flatMap((alternative) => walk(alternative, place, []))
}

const stepsOf = (path: ParseResult.Path): Place => {
  const steps: ReadonlyArray<PropertyKey> = typeof path === "object" ? path : [path]
  return steps.map((step) => (typeof step === "number" ? step : String(step)))
}

/** `keys` are the valid keys of the mapping around the issue. */
const walk = (issue: Issue, place: Place, keys: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const key = String(place.at(-1) ?? "")
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...place, ...stepsOf(issue.path)], keys)
    case "Missing":
      return [fault(place, `the required key "${key}" is missing`)]
    case "Unexpected":
      return [{ ...fault(place, `unknown key "${key}"`, didYouMean(key, keys)), subject: "key" }]
    case "Composite":
      return SchemaAST.isUnion(issue.ast)
        ? union(issue, place)
        : members(issue.issues).flatMap((member) => walk(member, place, keysOf(issue.ast)))
    case "Refinement":
    case "Transformation":
      return walk(issue.issue, place, keys)
    case "Type":
      return [mismatch(issue, place)]
    case "Forbidden":
      return [fault(place, issue.message ?? "this cannot be used here")]
  }
}

/** All faults, each once, with a targeted hint where the documentation of the format leads people astray. */
export const schemaFaults = (error: ParseResult.ParseError): ReadonlyArray<Fault> =>
  walk(error.issue, [], []).map((found) => {
    const hint = hintFor(found.place, error.issue.actual)
    return hint === undefined ? found : { ...found, suggestion: hint }
  })
