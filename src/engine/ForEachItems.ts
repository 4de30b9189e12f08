/** The items of a for_each group: where its list comes from and what each item is called (workflow language §5.8). Pure. */
import { Either, Option } from "effect"
import { get, isList, isMap, parseJson, type Value, type ValueMap } from "../domain/Value.ts"
import { nearest } from "../domain/NearMatch.ts"
import { itemSlot } from "../domain/SlotKey.ts"
import type { ForEachNode } from "../language/PlanNode.ts"
import { ExecutionError } from "./EngineErrors.ts"
import { isGroupResult } from "./InputReferences.ts"
import { shapeOf } from "./OutputValidation.ts"
import { printedValue } from "./PrintedValue.ts"
import type { Memory } from "./StepContext.ts"

export interface Item {
  /** Place in the source, from 0. */
  readonly index: number
  /** By `key_by`, else the index as text. Keys may repeat. */
  readonly key: string
  /** Names a sub-workflow of this item; unlike the key it is unique. */
  readonly slot: string
  readonly value: Value
}

const failure = ({ name, source }: ForEachNode, problem: string): ExecutionError =>
  new ExecutionError({ message: `For-each group '${name}': source '${source}': ${problem}` })

const candidates = (name: string, known: ReadonlyArray<string>): string => {
  const near = nearest(name, known)
  const available = known.length === 0 ? "there are none" : `available: ${known.join(", ")}`
  return near === undefined ? `(${available})` : `(${available}). Did you mean '${near}'?`
}

/** Walks down maps only: a list has no fields. `place` is what `root` is called. */
const walk = (
  node: ForEachNode,
  root: Value,
  place: string,
  path: ReadonlyArray<string>
): Either.Either<Value, ExecutionError> => {
  let value = root
  let at = place
  for (const part of path) {
    if (!isMap(value)) return Either.left(failure(node, `'${at}' has no field '${part}': it is ${shapeOf(value)}`))
    const next = get(value, part)
    if (next === undefined) {
      return Either.left(failure(node, `'${at}' has no field '${part}' ${candidates(part, Object.keys(value))}`))
    }
    value = next
    at = `${at}.${part}`
  }
  return Either.right(value)
}

const sourceValue = (node: ForEachNode, { inputs, outputs }: Memory): Either.Either<Value, ExecutionError> => {
  const [first = "", ...rest] = node.source.split(".")
  if (first === "workflow" && rest[0] === "input") return walk(node, inputs, "workflow.input", rest.slice(1))
  const stored = outputs.get(first)
  if (stored === undefined) {
    return Either.left(failure(node, `step '${first}' has not run ${candidates(first, [...outputs.keys()])}`))
  }
  return walk(node, isGroupResult(stored) ? stored : { output: stored }, first, rest)
}

/** An input may be a list as JSON text, since the command line gives text. */
const asList = (node: ForEachNode, value: Value): Either.Either<ReadonlyArray<Value>, ExecutionError> => {
  const isText = typeof value === "string" && node.source.startsWith("workflow.input.")
  const parsed = isText ? Option.getOrElse(Option.liftThrowable(parseJson)(value), () => value) : value
  return isList(parsed) ? Either.right(parsed) : Either.left(failure(node, `it must be a list, got ${shapeOf(parsed)}`))
}

const keyAt = (value: Value, path: ReadonlyArray<string>): Value | undefined =>
  path.reduce<Value | undefined>((at, part) => (at !== undefined && isMap(at) ? get(at, part) : undefined), value)

/** Anything that cannot be a key leaves the index. */
const keyOf = ({ key_by: path }: ForEachNode, value: Value, index: number): string => {
  const key = path === undefined ? undefined : keyAt(value, path.split("."))
  return Option.fromNullable(key).pipe(
    Option.flatMap(printedValue),
    Option.getOrElse(() => String(index))
  )
}

export const itemsOf = (node: ForEachNode, memory: Memory): Either.Either<ReadonlyArray<Item>, ExecutionError> =>
  Either.map(
    Either.flatMap(sourceValue(node, memory), (value) => asList(node, value)),
    (values) => {
      const seen = new Set<string>()
      return values.map((value, index) => {
        const key = keyOf(node, value, index)
        const slot = `${itemSlot(node.name, key)}${seen.has(key) ? `#${index}` : ""}`
        seen.add(key)
        return { index, key, slot, value }
      })
    }
  )

/** What templates of the inline step see beside their context, over entries of the same name (workflow language §4.7). */
export const loopVariables = (node: ForEachNode, { index, key, value }: Item): ValueMap => ({
  [node.as]: value,
  _index: index,
  ...(node.key_by === undefined ? {} : { _key: key })
})
