/** Skills: folders with a `SKILL.md` whose head names and describes them. Reads, and never runs, what is in them. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Schema } from "effect"
import { get, isMap, type Value } from "../../domain/Value.ts"
import { sizeFault } from "../yaml/Limits.ts"
import { parseYaml } from "../yaml/ParseYaml.ts"
import { toValue } from "../yaml/YamlNode.ts"
import { childrenOf, isFile } from "./LocateAsset.ts"

export interface Skill {
  readonly name: string
  readonly description: string
  /** Absolute. */
  readonly folder: string
  /** Of all that is put into a prompt: `SKILL.md` and `references/*.md`. */
  readonly bytes: number
}

/** A `SKILL.md` that cannot be used. */
class SkillError extends Schema.TaggedError<SkillError>()("SkillError", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.reason}`
  }
}

const FILE = "SKILL.md"
const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const FORM = "begin the file with a head: ---, name: …, description: …, ---"

const headOf = (text: string, file: string): Either.Either<Value, string> => {
  const head = HEAD.exec(text)?.[1]
  if (head === undefined) return Either.left(`it has no head; ${FORM}`)
  return Either.mapBoth(parseYaml(head, file), {
    onLeft: ([{ message }]) => `its head cannot be read: ${message}`,
    onRight: (node) => (node === null ? null : toValue(node))
  })
}

const textAt = (head: Value, key: "name" | "description"): Either.Either<string, string> => {
  const value = isMap(head) ? get(head, key) : undefined
  return typeof value === "string" && value.trim() !== ""
    ? Either.right(value.trim())
    : Either.left(`its head has no "${key}"; ${FORM}`)
}

const sizeOf = (file: string): Effect.Effect<number, never, FileSystem> =>
  Effect.flatMap(FileSystem, (files) => files.stat(file)).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.orElseSucceed(() => 0)
  )

const injectedBytes = Effect.fnUntraced(function* (folder: string, file: string) {
  const path = yield* Path
  const references = (yield* childrenOf(path.join(folder, "references"))).filter((name) => name.endsWith(".md"))
  const sizes = yield* Effect.forEach([file, ...references], sizeOf)
  return sizes.reduce((sum, size) => sum + size, 0)
})

/** `folder` is absolute and has a `SKILL.md`. */
export const readSkill = Effect.fn("Skill.read")(function* (folder: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const file = path.join(folder, FILE)
  const refuse = (reason: string) => new SkillError({ file, reason })
  const tooLong = sizeFault(yield* sizeOf(file))
  if (tooLong !== undefined) return yield* refuse(tooLong)
  const text = yield* Effect.mapError(files.readFileString(file), ({ message }) => refuse(message))
  const { description, name } = yield* Either.mapLeft(
    Either.flatMap(headOf(text, file), (head) =>
      Either.all({ name: textAt(head, "name"), description: textAt(head, "description") })
    ),
    refuse
  )
  return { name, description, folder, bytes: yield* injectedBytes(folder, file) } satisfies Skill
})

/** The skill that a folder is or, when it is none, those that are directly in it. */
export const skillFolders = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path
  const hasSkill = (candidate: string) => isFile(path.join(candidate, FILE))
  return (yield* hasSkill(folder)) ? [folder] : yield* Effect.filter(yield* childrenOf(folder), hasSkill)
})
