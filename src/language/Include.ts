/**
 * Resolves `!file` tags (workflow language §2.4). A file that is a YAML mapping or list becomes that structure; any other
 * file becomes its own text, unchanged, with the file remembered as its origin.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import type { PlatformError } from "@effect/platform/Error"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Ref } from "effect"
import { dotted, type Place, type Position, type Problem } from "./Problem.ts"
import { decodeText } from "./SourceText.ts"
import { MAX_DEPTH, sizeFault } from "./yaml/Limits.ts"
import { parseYaml } from "./yaml/ParseYaml.ts"
import type { IncludeNode, YamlNode } from "./yaml/YamlNode.ts"

/** Files that include each other several times multiply; no real workflow comes near. */
const MAX_INCLUDES = 500

interface Resolved {
  readonly node: YamlNode
  /** Absolute paths, each once, in the order of first use. */
  readonly includedFiles: ReadonlyArray<string>
  readonly problems: ReadonlyArray<Problem>
}

const problemAt = (place: Place, position: Position, message: string, suggestion?: string): Problem => ({
  path: dotted(place),
  message,
  ...position,
  ...(suggestion === undefined ? {} : { suggestion })
})

const unreadable = (target: string, absolute: string, error: PlatformError): string =>
  error._tag === "SystemError" && error.reason === "NotFound"
    ? `included file not found: '${target}' (looked for ${absolute})`
    : `included file '${target}' cannot be read (${absolute}): ${error.message}`

/** The text of an included file, or why there is none. Devices and the like are not opened: they may never end. */
const readIncluded = (target: string, absolute: string): Effect.Effect<string, string, FileSystem> =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem
    const { size, type } = yield* fileSystem.stat(absolute)
    if (type !== "File") return yield* Effect.fail(`included file '${target}' is not a file (${absolute})`)
    const tooLong = sizeFault(Number(size))
    if (tooLong !== undefined) return yield* Effect.fail(`included file '${target}' (${absolute}): ${tooLong}`)
    const text = decodeText(yield* fileSystem.readFile(absolute))
    return yield* Effect.mapError(
      text,
      ({ line }) => `included file '${target}' is not UTF-8 text (${absolute}, line ${line})`
    )
  }).pipe(Effect.mapError((error) => (typeof error === "string" ? error : unreadable(target, absolute, error))))

const asStructure = (text: string, file: string): YamlNode | undefined => {
  const parsed = Either.getOrNull(parseYaml(text, file))
  return parsed?.kind === "mapping" || parsed?.kind === "sequence" ? parsed : undefined
}

/**
 * Replaces all includes of a tree that was read from `chain`'s last file; `chain` is the inclusion chain in absolute paths
 * and `base` the directory that the tree's own includes are relative to.
 */
export const resolveIncludes = Effect.fn("Include.resolveIncludes")(function* (
  root: YamlNode,
  base: string,
  chain: ReadonlyArray<string>
) {
  const path = yield* Path
  const problems = yield* Ref.make<ReadonlyArray<Problem>>([])
  const files = yield* Ref.make<ReadonlyArray<string>>([])

  const fail = (place: Place, include: IncludeNode, message: string, suggestion?: string): Effect.Effect<YamlNode> =>
    Ref.update(problems, (found) => [...found, problemAt(place, include.position, message, suggestion)]).pipe(
      Effect.as({ kind: "scalar", value: null, position: include.position })
    )

  const include = (
    node: IncludeNode,
    place: Place,
    directory: string,
    parents: ReadonlyArray<string>
  ): Effect.Effect<YamlNode, never, FileSystem> =>
    Effect.gen(function* () {
      if (place.length > MAX_DEPTH) return yield* fail(place, node, "the document is nested too deeply")
      const absolute = path.resolve(directory, node.target)
      if (parents.includes(absolute)) {
        const cycle = [...parents.slice(parents.indexOf(absolute)), absolute].join(" → ")
        return yield* fail(place, node, `files include each other in a circle: ${cycle}`)
      }
      const count = yield* Ref.updateAndGet(files, (known) => [...known, absolute])
      if (count.length > MAX_INCLUDES) return yield* fail(place, node, `more than ${MAX_INCLUDES} files are included`)
      const text = yield* Effect.either(readIncluded(node.target, absolute))
      if (Either.isLeft(text)) return yield* fail(place, node, text.left)
      const structure = asStructure(text.right, absolute)
      return structure === undefined
        ? { kind: "scalar", value: text.right, position: node.position, origin: absolute }
        : { ...(yield* visit(structure, place, path.dirname(absolute), [...parents, absolute])), origin: absolute }
    })

  const visit = (
    node: YamlNode,
    place: Place,
    directory: string,
    parents: ReadonlyArray<string>
  ): Effect.Effect<YamlNode, never, FileSystem> => {
    switch (node.kind) {
      case "scalar":
        return Effect.succeed(node)
      case "include":
        return include(node, place, directory, parents)
      case "sequence":
        return Effect.map(
          Effect.forEach(node.items, (item, index) => visit(item, [...place, index], directory, parents)),
          (items) => ({ ...node, items })
        )
      case "mapping":
        return Effect.map(
          Effect.forEach(node.entries, (entry) =>
            Effect.map(visit(entry.value, [...place, entry.key], directory, parents), (value) => ({ ...entry, value }))
          ),
          (entries) => ({ ...node, entries })
        )
    }
  }

  const node = yield* visit(root, [], base, chain)
  const resolved: Resolved = {
    node,
    includedFiles: [...new Set(yield* Ref.get(files))],
    problems: yield* Ref.get(problems)
  }
  return resolved
})
