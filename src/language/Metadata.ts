/**
 * What the catalogue shows of a workflow file. Reads nothing but the text: `${VAR}` and `!file` stay as they are written, so
 * that no secret of this machine can reach a tool description. What cannot be read is missing by itself, not with the rest.
 */
import { Either, Option, Schema } from "effect"
import { schemaFaults } from "./document/SchemaFaults.ts"
import { InputDefinitions } from "./document/InputDefinition.ts"
import { dictionary } from "./document/Keyed.ts"
import { McpExposure } from "./document/McpExposure.ts"
import { OutputFields } from "./document/OutputField.ts"
import { Text } from "./document/Scalars.ts"
import { dotted, renderProblem, type Place } from "./Problem.ts"
import { parseYaml } from "./yaml/ParseYaml.ts"
import { nodeAt, toRaw, type YamlNode } from "./yaml/YamlNode.ts"

/** Why a part cannot be read, for people. */
export type Unreadable = string

export interface WorkflowMetadata {
  readonly name: Option.Option<string>
  readonly description: Option.Option<string>
  readonly version: Option.Option<string>
  readonly inputs: Either.Either<InputDefinitions, Unreadable>
  /** None when the file has no such block and the defaults hold; unreadable means that the exposure is unknown. */
  readonly mcp: Either.Either<Option.Option<McpExposure>, Unreadable>
  /** Templates of the final output, as written. */
  readonly outputs: Either.Either<Readonly<Record<string, string>>, Unreadable>
  /** Declared outputs of the steps that have them, by step name. */
  readonly stepOutputs: ReadonlyMap<string, OutputFields>
}

type Part<A> = Either.Either<Option.Option<A>, Unreadable>

const Outputs = dictionary(Text)

/** The include that hides a place: nothing below it is known. */
const hiddenBy = (root: YamlNode, place: Place): string | undefined => {
  for (let length = 0; length <= place.length; length++) {
    const node = nodeAt(root, place.slice(0, length))
    if (node?.kind === "include") return `kept in another file (!file ${node.target})`
  }
  return undefined
}

const isNull = (node: YamlNode): boolean => node.kind === "scalar" && node.value === null

const part = <A>(root: YamlNode, place: Place, schema: Schema.Schema<A, unknown>): Part<A> => {
  const hidden = hiddenBy(root, place)
  if (hidden !== undefined) return Either.left(hidden)
  const node = nodeAt(root, place)
  if (node === undefined || isNull(node)) return Either.right(Option.none())
  return Either.mapBoth(Schema.decodeUnknownEither(schema, { errors: "all" })(toRaw(node)), {
    onLeft: (error) =>
      schemaFaults(error)
        .map((fault) => [dotted([...place, ...fault.place]), fault.message].join(": "))
        .join("; "),
    onRight: Option.some
  })
}

const text = (root: YamlNode, key: string): Option.Option<string> => {
  const node = nodeAt(root, ["workflow", key])
  if (node?.kind === "include") return Option.some(`!file ${node.target}`)
  return node?.kind === "scalar" && typeof node.value === "string" ? Option.some(node.value) : Option.none()
}

const stepOutputs = (root: YamlNode): ReadonlyMap<string, OutputFields> => {
  const agents = nodeAt(root, ["agents"])
  const steps = agents?.kind === "sequence" ? agents.items : []
  return new Map(
    steps.flatMap((step) => {
      const name = nodeAt(step, ["name"])
      const output = Either.getOrElse(part(step, ["output"], OutputFields), () => Option.none<OutputFields>())
      return name?.kind === "scalar" && typeof name.value === "string" && Option.isSome(output)
        ? [[name.value, output.value] as const]
        : []
    })
  )
}

const orEmpty = <A extends object>(read: Part<A>, empty: A): Either.Either<A, Unreadable> =>
  Either.map(
    read,
    Option.getOrElse(() => empty)
  )

const nothing = (reason: Unreadable): WorkflowMetadata => ({
  name: Option.none(),
  description: Option.none(),
  version: Option.none(),
  inputs: Either.left(reason),
  mcp: Either.left(reason),
  outputs: Either.left(reason),
  stepOutputs: new Map()
})

const read = (root: YamlNode): WorkflowMetadata => ({
  name: text(root, "name"),
  description: text(root, "description"),
  version: text(root, "version"),
  inputs: orEmpty(part(root, ["workflow", "input"], InputDefinitions), {}),
  mcp: part(root, ["workflow", "mcp"], McpExposure),
  outputs: orEmpty(part(root, ["output"], Outputs), {}),
  stepOutputs: stepOutputs(root)
})

/** Never fails: of text that is no workflow at all, every part is unreadable, with the reason. */
export const readMetadata = (source: string): WorkflowMetadata =>
  Either.match(parseYaml(source, "workflow"), {
    onLeft: ([problem]) => nothing(renderProblem(problem, "workflow")),
    onRight: (root) => {
      if (root === null) return nothing("the file is empty")
      const workflow = nodeAt(root, ["workflow"])
      return workflow?.kind === "mapping" || workflow?.kind === "include"
        ? read(root)
        : nothing("the file has no workflow section")
    }
  })
