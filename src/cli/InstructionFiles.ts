/** The files that `conductor run` gives to all agents of a run, before anything is started. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { relative, resolve } from "node:path"
import { discoverInstructions } from "../language/instructions/DiscoverInstructions.ts"
import { isFile } from "../language/LookAtFiles.ts"
import type { InstructionFiles } from "../runs/RunSpec.ts"
import { misused } from "./CliFailure.ts"
import { Output, shownInline } from "./output/Output.ts"

interface Wanted {
  readonly workspace: "discover" | "leave"
  /** As they were typed. */
  readonly files: ReadonlyArray<string>
}

/** Bytes; more than this is seldom meant, and every step pays for it. */
const MANY = 50 * 1024

const bytesOf = (files: ReadonlyArray<string>) =>
  Effect.flatMap(FileSystem, (system) =>
    Effect.forEach(files, (file) =>
      Effect.orElseSucceed(
        Effect.map(system.stat(file), ({ size }) => Number(size)),
        () => 0
      )
    )
  ).pipe(Effect.map((sizes) => sizes.reduce((sum, size) => sum + size, 0)))

/** Absolute paths, told to the user; undefined when there are none. A file that was named and is not there is a wrong call. */
export const instructionFiles = Effect.fn("instructionFiles")(function* (
  { files, workspace }: Wanted,
  directory: string
) {
  const output = yield* Output
  const given = files.map((file) => resolve(directory, file))
  for (const [index, file] of given.entries()) {
    if (!(yield* isFile(file))) return yield* misused(`--instructions: there is no file '${files[index]}'.`)
  }
  const found = workspace === "discover" ? yield* discoverInstructions(directory) : []
  const all = [...found, ...given]
  if (all.length === 0) return undefined
  const bytes = yield* bytesOf(all)
  const names = all.map((file) => shownInline(relative(directory, file))).join(", ")
  const size = bytes > MANY ? `; they are ${bytes} bytes, which every step pays for` : ""
  yield* output.report(output.errorStyle.yellow(`note: agents get the instructions of ${names}${size}`))
  return { workspace: found, given } satisfies InstructionFiles
})
