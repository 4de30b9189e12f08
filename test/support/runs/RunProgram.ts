/** Bundles the programs that tests start as processes, each once for all tests of a worker. */
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { mkdir, mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"

// Below node_modules, so that the one native module, which cannot be bundled, is found from there.
const cache = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache")

const bundle = async (source: string): Promise<string> => {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "run-program-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const build = await rolldown({
    input: { main: join(import.meta.dirname, source) },
    platform: "node",
    external: [/^better-sqlite3/],
    logLevel: "silent"
  })
  await build.write({ dir: folder, format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" })
  await build.close()
  return join(folder, "main.cjs")
}

const bundles = new Map<string, Promise<string>>()

const bundled = (source: string): Effect.Effect<string> =>
  Effect.promise(() => {
    const known = bundles.get(source) ?? bundle(source)
    bundles.set(source, known)
    return known
  })

/** Absolute path of a script that Node can run with the verb `__run`. */
export const runProgram = bundled("RunProgramEntry.ts")

/** The same for a run that is killed: see its source for the argument that comes before the verb. */
export const killedRunProgram = bundled("KilledRunProgramEntry.ts")

/** Absolute path of a script that starts a run: see its source for the arguments. */
export const launchProgram = bundled("LaunchProgram.ts")
