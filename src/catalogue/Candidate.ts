/**
 * One workflow of a registry as far as its file and its index entry tell, before anything is decided about it. Pure.
 * The file speaks first, since it is what runs; the index fills in what the file does not give.
 */
import { Either, Option, Schema } from "effect"
import type { Pin } from "../domain/Pin.ts"
import { InputDefinitions } from "../language/document/InputDefinition.ts"
import { defaultExposure, McpExposure } from "../language/document/McpExposure.ts"
import { type Unreadable, type WorkflowMetadata } from "../language/Metadata.ts"
import type { RegistryEntry } from "../registries/RegistrySource.ts"
import type { ExposureSubject } from "./Exposure.ts"
import type { OutputFacts } from "./OutputFacts.ts"

export interface Candidate {
  readonly registry: string
  readonly key: string
  /** Absolute path. */
  readonly file: string
  readonly pin: Pin
  /** `workflow.name`, or the key when it cannot be read. */
  readonly name: string
  readonly description: string | undefined
  readonly declared: ExposureSubject["declared"]
  readonly mcp: McpExposure
  readonly inputs: Either.Either<InputDefinitions, Unreadable>
  readonly outputs: OutputFacts | undefined
}

/** What the text of a file tells. */
export interface WorkflowFacts {
  readonly metadata: WorkflowMetadata
  readonly outputs: OutputFacts | undefined
}

type Part<A> = Either.Either<Option.Option<A>, Unreadable>

const fromIndex = <A>(schema: Schema.Schema<A, unknown>, name: string, value: unknown): Part<A> =>
  value === undefined || value === null
    ? Either.right(Option.none())
    : Either.mapBoth(Schema.decodeUnknownEither(schema)(value), {
        onLeft: () => `the '${name}' of the registry's index is not valid`,
        onRight: Option.some
      })

const found = <A>(part: Part<A>): Option.Option<A> => Either.getOrElse(part, () => Option.none<A>())

/** Closed as soon as one of the two says so, and when one cannot be read while the other says nothing. */
const declaredBy = (parts: ReadonlyArray<Part<McpExposure>>): ExposureSubject["declared"] => {
  const blocks = parts.flatMap((part) => Option.toArray(found(part)))
  if (blocks.length > 0) return { _tag: "Known", expose: blocks.every(({ expose }) => expose) }
  const unreadable = parts.find(Either.isLeft)
  return unreadable === undefined ? { _tag: "Absent" } : { _tag: "Unknown", reason: unreadable.left }
}

const inputsOf = (entry: RegistryEntry, file: WorkflowMetadata["inputs"]): Candidate["inputs"] =>
  Either.orElse(file, (reason) =>
    Option.match(found(fromIndex(InputDefinitions, "input", entry.indexInput)), {
      onNone: () => Either.left(reason),
      onSome: (inputs) => Either.right(inputs)
    })
  )

/** `facts` is on the left when there was no time to read them, with the reason. */
export const candidateOf = (
  entry: RegistryEntry,
  pin: Pin,
  facts: Either.Either<WorkflowFacts, Unreadable>
): Candidate => {
  const metadata = Either.map(facts, (known) => known.metadata)
  const mcp = [Either.flatMap(metadata, (known) => known.mcp), fromIndex(McpExposure, "mcp", entry.indexMcp)]
  const read = Option.getRight(metadata)
  return {
    registry: entry.registry,
    key: entry.key,
    file: entry.file,
    pin,
    name: Option.getOrElse(
      Option.flatMap(read, ({ name }) => name),
      () => entry.key
    ),
    description: Option.getOrElse(
      Option.flatMap(read, ({ description }) => description),
      () => entry.description
    ),
    declared: declaredBy(mcp),
    mcp: Option.getOrElse(Option.firstSomeOf(mcp.map(found)), () => defaultExposure),
    inputs: inputsOf(
      entry,
      Either.flatMap(metadata, (known) => known.inputs)
    ),
    outputs: Option.getOrUndefined(Option.getRight(facts))?.outputs
  }
}
