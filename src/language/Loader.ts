/**
 * From a workflow file to a checked document: YAML, `!file`, `${VAR}`, schema. The only door for files that will run; what
 * is only listed goes through `Metadata`, which expands nothing.
 */
import { createHash } from "node:crypto"
import type { PlatformError } from "@effect/platform/Error"
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either } from "effect"
import { Environment } from "../platform/Environment.ts"
import { decodeDocument } from "./document/DecodeDocument.ts"
import type { WorkflowDocument } from "./document/WorkflowDocument.ts"
import { resolveIncludes } from "./Include.ts"
import { interpolateTree } from "./Interpolation.ts"
import { LoadError } from "./LoadError.ts"
import { dotted, type Place, type Position, type Problem } from "./Problem.ts"
import { decodeText } from "./SourceText.ts"
import { sizeFault } from "./yaml/Limits.ts"
import { parseYaml, type Problems } from "./yaml/ParseYaml.ts"
import { keyPositionAt, nodeAt, scalars, type MappingNode, type YamlNode } from "./yaml/YamlNode.ts"

export interface LoadedWorkflow {
  /** Absolute, or the name given to text that came from no file. */
  readonly path: string
  readonly document: WorkflowDocument
  /** What the document was decoded from: files and variables are in it, and keys that decoding dropped. */
  readonly tree: YamlNode
  /** Text of the root file as it was read. */
  readonly source: string
  /** Where a place of the document stands; undefined for a place that the file does not have. */
  readonly positions: (place: Place) => Position | undefined
  /** Dotted places of strings that are the whole text of an included file, with that file's absolute path. */
  readonly fileOrigins: ReadonlyMap<string, string>
  /** Absolute paths of all files that were included, directly or not. */
  readonly includedFiles: ReadonlyArray<string>
  /** sha256 of the root file's bytes, in hex. */
  readonly digest: string
}

/** Stands for the path of text that came from no file. */
const NO_FILE = "<text>"

interface Source {
  readonly path: string
  readonly directory: string
  readonly text: string
  readonly digest: string
  readonly chain: ReadonlyArray<string>
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex")

const orFail = <A>(path: string, result: Either.Either<A, Problems>): Effect.Effect<A, LoadError> =>
  Effect.mapError(result, (problems) => new LoadError({ path, problems }))

const failAt = (path: string, message: string, position = { line: 1, column: 1 }): LoadError =>
  new LoadError({ path, problems: [{ path: "", message, ...position }] })

const rootMapping = (node: YamlNode | null, path: string): Effect.Effect<MappingNode, LoadError> => {
  if (node === null)
    return Effect.fail(failAt(path, "Empty configuration file: expected a mapping with the keys workflow and agents"))
  if (node.kind === "mapping") return Effect.succeed(node)
  const problem: Problem = {
    path: "",
    message: "expected a mapping with the keys workflow and agents",
    ...node.position
  }
  return Effect.fail(new LoadError({ path, problems: [problem] }))
}

const originsOf = (root: YamlNode): ReadonlyMap<string, string> =>
  new Map(
    [...scalars(root)].flatMap(([place, { origin }]) =>
      origin === undefined ? [] : [[dotted(place), origin] as const]
    )
  )

const load = Effect.fn("Loader.load")(function* ({ chain, digest, directory, path, text }: Source) {
  const { variables } = yield* Environment
  const parsed = yield* orFail(path, parseYaml(text, path))
  const resolved = yield* resolveIncludes(yield* rootMapping(parsed, path), directory, chain)
  const [first, ...rest] = resolved.problems
  if (first !== undefined) return yield* new LoadError({ path, problems: [first, ...rest] })
  const root = yield* orFail(path, interpolateTree(resolved.node, variables))
  const document = yield* orFail(path, decodeDocument(root))
  const loaded: LoadedWorkflow = {
    path,
    document,
    tree: root,
    source: text,
    positions: (place) => keyPositionAt(root, place) ?? nodeAt(root, place)?.position,
    fileOrigins: originsOf(root),
    includedFiles: resolved.includedFiles,
    digest
  }
  return loaded
})

const unreadable = (path: string, error: PlatformError): LoadError => {
  if (error._tag !== "SystemError") return failAt(path, error.message)
  if (error.reason === "NotFound") return failAt(path, "Workflow file not found")
  return failAt(
    path,
    error.reason === "BadResource" ? "Path is not a file" : `Workflow file cannot be read: ${error.message}`
  )
}

/** Fails with every problem of the first stage that has any: reading, YAML, includes, variables, schema, cross checks. */
export const loadWorkflow = Effect.fn("Loader.loadWorkflow")(function* (file: string) {
  const fileSystem = yield* FileSystem
  const paths = yield* Path
  const path = paths.resolve(file)
  const info = yield* Effect.mapError(fileSystem.stat(path), (error) => unreadable(file, error))
  if (info.type !== "File") return yield* failAt(file, "Path is not a file")
  const tooLong = sizeFault(Number(info.size))
  if (tooLong !== undefined) return yield* failAt(file, tooLong)
  const bytes = yield* Effect.mapError(fileSystem.readFile(path), (error) => unreadable(file, error))
  const text = yield* Effect.mapError(decodeText(bytes), (place) => failAt(file, "the file is not UTF-8 text", place))
  return yield* load({ path, directory: paths.dirname(path), text, digest: sha256(bytes), chain: [path] })
})

/** Like `loadWorkflow` for text. Without a path, `!file` is relative to the working directory of the process. */
export const loadWorkflowText = Effect.fn("Loader.loadWorkflowText")(function* (
  text: string,
  options: { readonly path?: string } = {}
) {
  const paths = yield* Path
  const path = options.path === undefined ? undefined : paths.resolve(options.path)
  return yield* load({
    path: path ?? NO_FILE,
    directory: path === undefined ? paths.resolve() : paths.dirname(path),
    text,
    digest: sha256(text),
    chain: path === undefined ? [] : [path]
  })
})
