/**
 * The `input:` list of a step in explicit mode: which inputs and which parts of earlier outputs it sees (workflow
 * language §4.5). Leaves are projected one by one, so that a step sees what it names and nothing beside it.
 */
import { Either } from "effect"
import { get, isList, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import { nearest } from "../domain/NearMatch.ts"
import { KeyError } from "./EngineErrors.ts"

export interface ReferenceSource {
  readonly inputs: ValueMap
  readonly outputs: ReadonlyMap<string, Value>
}

/** What has been collected so far: workflow inputs, and one entry per node. */
export interface Visible {
  readonly inputs: ValueMap
  readonly nodes: ValueMap
}

interface Reference {
  readonly text: string
  readonly optional: boolean
  readonly node: string
  readonly parts: ReadonlyArray<string>
}

type Resolved = Either.Either<Visible, KeyError>

/** A stored map with both keys is a group's result, and is shown as it is instead of under `output`. */
export const isGroupResult = (value: Value | undefined): value is ValueMap =>
  value !== undefined && isMap(value) && Object.hasOwn(value, "outputs") && Object.hasOwn(value, "errors")

const missing = ({ text }: Reference, problem: string, name: string, candidates: Iterable<string>): KeyError => {
  const near = nearest(name, candidates)
  const remedy = near === undefined ? `End it with '?' if it may be absent.` : `Did you mean '${near}'?`
  return new KeyError({ message: `Input reference '${text}': ${problem}. ${remedy}` })
}

const withEntry = (map: ValueMap, path: ReadonlyArray<string>, leaf: Value): ValueMap => {
  const [key, ...rest] = path
  if (key === undefined) return map
  if (rest.length === 0) return { ...map, [key]: leaf }
  const inner = get(map, key)
  return { ...map, [key]: withEntry(inner !== undefined && isMap(inner) ? inner : {}, rest, leaf) }
}

const show = (visible: Visible, path: ReadonlyArray<string>, leaf: Value): Visible => ({
  ...visible,
  nodes: withEntry(visible.nodes, path, leaf)
})

/** Makes the place exist without overwriting what an earlier reference put there. */
const ensure = (visible: Visible, path: ReadonlyArray<string>, stub: Value): Visible => {
  const present = path.reduce<Value | undefined>(
    (value, key) => (value !== undefined && isMap(value) ? get(value, key) : undefined),
    visible.nodes
  )
  return present === undefined ? show(visible, path, stub) : visible
}

const workflowInput = (visible: Visible, reference: Reference, source: ReferenceSource): Resolved => {
  const [section, name] = reference.parts
  if (section !== "input" || name === undefined) return Either.right(visible)
  const value = get(source.inputs, name)
  if (value === undefined && !reference.optional) {
    return Either.left(missing(reference, `there is no workflow input '${name}'`, name, Object.keys(source.inputs)))
  }
  return Either.right({ ...visible, inputs: { ...visible.inputs, [name]: value ?? null } })
}

const kindOf = (value: Value): string => (isList(value) ? "a list" : value === null ? "null" : `a ${typeof value}`)

/** Walks down maps only; a list has no fields. */
const field = (
  root: Value,
  path: ReadonlyArray<string>,
  owner: string,
  reference: Reference
): Either.Either<Value, KeyError> => {
  let value = root
  for (const [index, part] of path.entries()) {
    const at = path.slice(0, index)
    const place = at.length === 0 ? owner : `'${at.join(".")}' of ${owner}`
    if (!isMap(value)) {
      const problem = `${place} is ${kindOf(value)} and has no field '${path.slice(index).join(".")}'`
      return Either.left(missing(reference, problem, part, []))
    }
    const next = get(value, part)
    if (next === undefined) {
      const problem = `${owner} has no field '${path.join(".")}'`
      return Either.left(missing(reference, problem, part, Object.keys(value)))
    }
    value = next
  }
  return Either.right(value)
}

const stepOutput = (visible: Visible, reference: Reference, stored: Value): Resolved => {
  const { node, optional, parts } = reference
  const path = parts[0] === "output" ? parts.slice(1) : parts
  const found = field(stored, path, `step '${node}'`, reference)
  if (Either.isRight(found)) return Either.right(show(visible, [node, "output", ...path], found.right))
  return optional ? Either.right(ensure(visible, [node, "output"], isMap(stored) ? {} : null)) : Either.left(found.left)
}

/** Of a parallel group a member's field can be chosen; an item of a for_each comes whole. */
const groupMember = (visible: Visible, reference: Reference, group: ValueMap): Resolved => {
  const { node, optional, parts } = reference
  const outputs = get(group, "outputs") ?? {}
  if (parts.length === 1) return Either.right(show(visible, [node, "outputs"], outputs))
  const path = parts.slice(1, get(group, "type") === "for_each" ? 2 : 3)
  const found = field(outputs, path, `outputs of group '${node}'`, reference)
  if (Either.isRight(found)) return Either.right(show(visible, [node, "outputs", ...path], found.right))
  if (!optional) return Either.left(found.left)
  return Either.right(isMap(outputs) ? ensure(visible, [node, "outputs"], {}) : ensure(visible, [node], {}))
}

const groupResult = (visible: Visible, reference: Reference, group: ValueMap): Resolved => {
  const { node, optional, parts } = reference
  const [section] = parts
  if (section === "outputs") return groupMember(visible, reference, group)
  if (section === "errors") return Either.right(show(visible, [node, "errors"], get(group, "errors") ?? {}))
  const count = section === "count" ? get(group, "count") : undefined
  if (count !== undefined) return Either.right(show(visible, [node, "count"], count))
  if (section !== "count" || optional) return Either.right(ensure(visible, [node], {}))
  return Either.left(missing(reference, `group '${node}' has no count`, "count", Object.keys(group)))
}

const parse = (text: string): Reference => {
  const bare = text.replace(/\?+$/, "")
  const [node = "", ...parts] = bare.split(".")
  return { text, optional: bare !== text, node, parts }
}

const resolve = (visible: Visible, reference: Reference, source: ReferenceSource): Resolved => {
  const { node, optional, parts } = reference
  if (parts.length === 0) {
    if (optional) return Either.right(visible)
    const problem = `invalid input reference format: '${node}' names no output`
    return Either.left(
      new KeyError({ message: `Input reference '${reference.text}': ${problem}. Write '${node}.output'.` })
    )
  }
  if (node === "workflow") return workflowInput(visible, reference, source)
  const stored = source.outputs.get(node)
  if (stored === undefined) {
    if (optional) return Either.right(visible)
    return Either.left(missing(reference, `step '${node}' has not run`, node, source.outputs.keys()))
  }
  return isGroupResult(stored) ? groupResult(visible, reference, stored) : stepOutput(visible, reference, stored)
}

/** `start` is what the step sees before its list: nothing, or all inputs for the kinds of steps that run locally. */
export const resolveReferences = (
  references: ReadonlyArray<string>,
  source: ReferenceSource,
  start: Visible
): Either.Either<Visible, KeyError> =>
  references.reduce<Resolved>(
    (visible, text) => Either.flatMap(visible, (seen) => resolve(seen, parse(text), source)),
    Either.right(start)
  )
