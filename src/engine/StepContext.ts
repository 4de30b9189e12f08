/**
 * What a template can see: inputs, the outputs of earlier nodes and the position of the run (workflow language §4). Values
 * are handed over by reference; templates work on copies of their own, so nothing here may be copied in advance.
 */
import { Either } from "effect"
import type { Value, ValueMap } from "../domain/Value.ts"
import type { ContextMode } from "../language/document/Context.ts"
import type { StepType } from "../language/document/Vocabulary.ts"
import type { KeyError } from "./EngineErrors.ts"
import type { History } from "./History.ts"
import { isGroupResult, resolveReferences } from "./InputReferences.ts"

/** The part of the run's state that templates may read. */
export interface Memory {
  readonly inputs: ValueMap
  readonly outputs: ReadonlyMap<string, Value>
  readonly history: History
}

/** Directory and file are absolute, and absent for a workflow that was not read from a file. */
export interface WorkflowFacts {
  readonly name: string
  readonly directory?: string
  readonly file?: string
}

export interface Viewer {
  readonly type: StepType
  readonly input: ReadonlyArray<string>
}

/** Steps that run on this machine see all workflow inputs in explicit mode, too. */
const LOCAL: ReadonlySet<StepType> = new Set<StepType>(["script", "set", "wait", "workflow", "mcp"])

/** How a stored output is shown under the name of its node. */
export const contextEntry = (output: Value): Value => (isGroupResult(output) ? output : { output })

/** The history is only listed when a template asks for it: it grows with every step of a loop. */
const position = (history: History): ValueMap => ({
  iteration: history.length,
  get history() {
    return history.toArray()
  }
})

/**
 * Every step of a long workflow pays for the outputs of all steps before it, so this is one pass over them. Without a
 * prototype, since a step may have any name.
 */
const assemble = (
  facts: WorkflowFacts,
  memory: Memory,
  inputs: ValueMap,
  nodes: Iterable<readonly [string, Value]>
): ValueMap => {
  const context: Record<string, Value> = Object.create(null)
  context["workflow"] = {
    input: inputs,
    ...(facts.directory === undefined ? {} : { dir: facts.directory }),
    ...(facts.file === undefined ? {} : { file: facts.file }),
    name: facts.name
  }
  context["context"] = position(memory.history)
  for (const [name, entry] of nodes) context[name] = entry
  return context
}

const entryOf = ([name, output]: readonly [string, Value]): readonly [string, Value] => [name, contextEntry(output)]

/** Everything, whatever the mode: for routes, final output and hooks. */
export const fullContext = (facts: WorkflowFacts, memory: Memory): ValueMap =>
  assemble(facts, memory, memory.inputs, Array.from(memory.outputs, entryOf))

const lastOnly = (facts: WorkflowFacts, memory: Memory): ValueMap => {
  const latest = memory.history.latest()
  const output = latest === undefined ? undefined : memory.outputs.get(latest)
  const nodes = latest === undefined || output === undefined ? [] : [entryOf([latest, output])]
  return assemble(facts, memory, memory.inputs, nodes)
}

/** What one step sees in the workflow's context mode. Only explicit mode can fail. */
export const stepContext = (
  mode: ContextMode,
  facts: WorkflowFacts,
  memory: Memory,
  viewer: Viewer
): Either.Either<ValueMap, KeyError> => {
  switch (mode) {
    case "accumulate":
      return Either.right(fullContext(facts, memory))
    case "last_only":
      return Either.right(lastOnly(facts, memory))
    case "explicit": {
      const start = { inputs: LOCAL.has(viewer.type) ? memory.inputs : {}, nodes: {} }
      return Either.map(resolveReferences(viewer.input, memory, start), ({ inputs, nodes }) =>
        assemble(facts, memory, inputs, Object.entries(nodes))
      )
    }
  }
}
