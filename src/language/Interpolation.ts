/** `${NAME}` and `${NAME:-default}` in the strings of a workflow file (workflow language §2.5). There is no escape. */
import { Either } from "effect"
import { dotted, type Problem } from "./Problem.ts"
import type { Problems } from "./yaml/ParseYaml.ts"
import { mapScalars, type ScalarNode, type YamlNode } from "./yaml/YamlNode.ts"

const REFERENCE = /\$\{([^}:]+)(?::-([^}]*))?\}/g
const MAX_PASSES = 10
/** Variables that refer to each other several times multiply; no real value comes near. */
const MAX_GROWTH = 1_000_000

export interface InterpolationFault {
  readonly message: string
  readonly suggestion?: string
}

const unset = (name: string): InterpolationFault => ({
  message: `Required environment variable '${name}' is not set`,
  suggestion: name.startsWith("{")
    ? "${ begins a reference to an environment variable, a template is written {{ ... }}"
    : `set it, or give a default: \${${name}:-value}`
})

/**
 * The text with all references replaced, repeatedly, since values and defaults may contain references. A set variable, even
 * an empty one, wins over a default.
 */
export const interpolate = (
  text: string,
  variables: ReadonlyMap<string, string>
): Either.Either<string, InterpolationFault> => {
  let current = text
  for (let pass = 0; pass <= MAX_PASSES; pass++) {
    const references = current.includes("${") ? [...current.matchAll(REFERENCE)] : []
    if (references.length === 0) return Either.right(current)
    const missing = references.find(([, name = "", fallback]) => !variables.has(name) && fallback === undefined)
    if (missing !== undefined) return Either.left(unset(missing[1] ?? ""))
    current = current.replace(REFERENCE, (_, name: string, fallback = "") => variables.get(name) ?? fallback)
    if (current.length > text.length + MAX_GROWTH) break
  }
  return Either.left({
    message: "Maximum recursion depth exceeded while replacing environment variables",
    suggestion: "a variable refers to itself"
  })
}

/** Replaces the references in every string of a tree, keys aside; reports all strings that could not be completed. */
export const interpolateTree = (
  root: YamlNode,
  variables: ReadonlyMap<string, string>
): Either.Either<YamlNode, Problems> => {
  const problems: Array<Problem> = []
  const replaced = mapScalars(root, (scalar, place): ScalarNode => {
    if (typeof scalar.value !== "string") return scalar
    return Either.match(interpolate(scalar.value, variables), {
      onLeft: (fault) => {
        problems.push({ path: dotted(place), ...fault, ...scalar.position })
        return scalar
      },
      onRight: (value) => ({ ...scalar, value })
    })
  })
  const [first, ...rest] = problems
  return first === undefined ? Either.right(replaced) : Either.left([first, ...rest])
}
