/** Makes a TypeScript file runnable by a bare `node`, for tests that need a process which can be killed. */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"

const bundle = async (source: string, folder: string): Promise<string> => {
  const program = join(folder, "program.mjs")
  const build = await rolldown({ input: source, platform: "node", logLevel: "silent" })
  await build.write({ file: program, format: "esm", codeSplitting: false })
  await build.close()
  return program
}

/** The path of the bundled program; it is deleted with the scope. */
export const bundledProgram = (source: string) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "bundled-program-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true }))
  ).pipe(Effect.flatMap((folder) => Effect.promise(() => bundle(source, folder))))
