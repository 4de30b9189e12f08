/** What a prompt gets of a file of instructions: where it comes from, and its text without its head. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either } from "effect"
import { readHead } from "../skills/Head.ts"

/** `file` is absolute; it is named relative to `directory` when it is in there. */
export const instructionText = Effect.fn("InstructionText.read")(function* (file: string, directory: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const text = yield* files.readFileString(file)
  const body = Either.match(readHead(text, file), { onLeft: () => text, onRight: (headed) => headed.body })
  const relative = path.relative(directory, file)
  const name = relative.startsWith("..") || path.isAbsolute(relative) ? path.basename(file) : relative
  return `# Instructions from: ${name}\n\n${body.trim()}`
})
