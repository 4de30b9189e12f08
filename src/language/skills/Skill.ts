/** Skills: folders with a `SKILL.md` whose head names and describes them. Reads, and never runs, what is in them. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Schema } from "effect"
import { sizeFault } from "../yaml/Limits.ts"
import { CONDUCTOR_SKILL } from "./ConductorSkill.ts"
import { readNamed, type Named } from "./Head.ts"
import { childrenOf, isFile } from "../LookAtFiles.ts"

export interface Skill extends Named {
  /** Of all that is put into a prompt. */
  readonly bytes: number
  readonly source:
    | {
        readonly _tag: "Folder"
        /** Absolute. */
        readonly folder: string
        /** Absolute: `SKILL.md`, then `references/*.md`. */
        readonly files: ReadonlyArray<string>
      }
    | { readonly _tag: "BuiltIn"; readonly text: string }
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

const sizeOf = (file: string): Effect.Effect<number, never, FileSystem> =>
  Effect.flatMap(FileSystem, (files) => files.stat(file)).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.orElseSucceed(() => 0)
  )

/** `folder` is absolute and has a `SKILL.md`. */
export const readSkill = Effect.fn("Skill.read")(function* (folder: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const file = path.join(folder, FILE)
  const refuse = (reason: string) => new SkillError({ file, reason })
  const tooLong = sizeFault(yield* sizeOf(file))
  if (tooLong !== undefined) return yield* refuse(tooLong)
  const text = yield* Effect.mapError(files.readFileString(file), ({ message }) => refuse(message))
  const named = yield* Either.mapLeft(readNamed(text, file), refuse)
  const references = (yield* childrenOf(path.join(folder, "references"))).filter((name) => name.endsWith(".md"))
  const all = [file, ...references]
  const sizes = yield* Effect.forEach(all, sizeOf)
  return {
    ...named,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    source: { _tag: "Folder", folder, files: all }
  } satisfies Skill
})

/** The skill that a folder is or, when it is none, those that are directly in it. */
export const skillFolders = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path
  const hasSkill = (candidate: string) => isFile(path.join(candidate, FILE))
  return (yield* hasSkill(folder)) ? [folder] : yield* Effect.filter(yield* childrenOf(folder), hasSkill)
})

/** Come with every engine. */
export const BUILT_IN: ReadonlyMap<string, Skill> = new Map([
  [
    "conductor",
    {
      name: "conductor",
      description: "How to write a workflow file of conductor.",
      bytes: Buffer.byteLength(CONDUCTOR_SKILL),
      source: { _tag: "BuiltIn", text: CONDUCTOR_SKILL }
    }
  ]
])

/** All that a prompt gets of a skill, as it stands in its files. */
export const skillText = Effect.fn("Skill.text")(function* ({ source }: Skill) {
  if (source._tag === "BuiltIn") return source.text
  const files = yield* FileSystem
  const texts = yield* Effect.forEach(source.files, (file) =>
    Effect.mapError(files.readFileString(file), ({ message }) => new SkillError({ file, reason: message }))
  )
  return texts.map((text) => text.trim()).join("\n\n")
})
