/** A throw-away home and a folder of workflows for one test. */
import { Context, Effect, Layer } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { ValueMap } from "../../../src/domain/Value.ts"
import { Home } from "../../../src/platform/Home.ts"
import type { LaunchRequest } from "../../../src/runs/RunLauncher.ts"

export class Workspace extends Context.Tag("test/Workspace")<
  Workspace,
  {
    /** Absolute. */
    readonly folder: string
    /** Writes a file and gives its absolute path. */
    readonly write: (name: string, text: string) => Effect.Effect<string>
  }
>() {
  static readonly layer: Layer.Layer<Workspace> = Layer.scoped(
    Workspace,
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "conductor-runs-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    ).pipe(
      Effect.map((folder) => ({
        folder,
        write: (name, text) =>
          Effect.promise(async () => {
            const path = join(folder, name)
            await mkdir(dirname(path), { recursive: true })
            await writeFile(path, text)
            return path
          })
      }))
    )
  )
}

export const homeInWorkspace: Layer.Layer<Home, never, Workspace> = Layer.unwrapEffect(
  Effect.map(Workspace, ({ folder }) => Home.layerAt(join(folder, "home")))
)

export const requestFor = (file: string, inputs: ValueMap = {}): Effect.Effect<LaunchRequest, never, Workspace> =>
  Effect.map(Workspace, ({ folder }) => ({
    file,
    registry: "test",
    key: "example",
    inputs,
    metadata: {},
    launchDirectory: folder,
    provenance: { via: "library", tool: "example_tool" }
  }))
