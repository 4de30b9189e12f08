/**
 * Keys that decoding drops in silence, since the reference does: found by following the schemas of the format along the
 * tree of a file that decodes. Says nothing about files that do not.
 */
import { SchemaAST } from "effect"
import type { Place } from "../Problem.ts"
import { didYouMean } from "../Suggestion.ts"
import type { YamlNode } from "../yaml/YamlNode.ts"
import type { Fault } from "./Fault.ts"
import { WorkflowDocument } from "./WorkflowDocument.ts"

/** `attempts` was meant to be `max_attempts`, which is too far for a slip of the pen. */
const nearKey = (key: string, known: ReadonlyArray<string>): string =>
  didYouMean(key, known) ??
  known
    .filter((candidate) => candidate.endsWith(`_${key}`))
    .map((candidate) => `did you mean "${candidate}"?`)
    .at(0) ??
  `the keys are ${known.join(", ")}`

const ignored = (place: Place, key: string, known: ReadonlyArray<string>): Fault => ({
  place: [...place, key],
  subject: "key",
  message: `the key "${key}" means nothing here and is ignored`,
  suggestion: nearKey(key, known)
})

const inMapping = (ast: SchemaAST.TypeLiteral, node: YamlNode, place: Place): ReadonlyArray<Fault> => {
  if (node.kind !== "mapping") return []
  const fields = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  const others = ast.indexSignatures[0]?.type
  return node.entries.flatMap(({ key, value }) => {
    const type = fields.get(key) ?? others
    return type === undefined ? [ignored(place, key, [...fields.keys()])] : walk(type, value, [...place, key])
  })
}

/** A struct with defaults transforms one literal into another, of which the first describes the file. */
const inTransformation = (
  { from, to }: SchemaAST.Transformation,
  node: YamlNode,
  place: Place
): ReadonlyArray<Fault> =>
  SchemaAST.isTypeLiteral(from) ? walk(from, node, place) : [...walk(from, node, place), ...walk(to, node, place)]

const walk = (ast: SchemaAST.AST, node: YamlNode, place: Place): ReadonlyArray<Fault> => {
  switch (ast._tag) {
    case "Transformation":
      return inTransformation(ast, node, place)
    case "Refinement":
      return walk(ast.from, node, place)
    case "Suspend":
      return walk(ast.f(), node, place)
    case "Union":
      return ast.types.flatMap((type) => walk(type, node, place))
    case "TypeLiteral":
      return inMapping(ast, node, place)
    case "TupleType": {
      const item = ast.rest[0]?.type
      if (item === undefined || node.kind !== "sequence") return []
      return node.items.flatMap((value, index) => walk(item, value, [...place, index]))
    }
    default:
      return []
  }
}

export const ignoredKeys = (root: YamlNode): ReadonlyArray<Fault> => walk(WorkflowDocument.ast, root, [])
