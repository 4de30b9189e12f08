/** Where the whole of a tool's output goes that was too long for a model. Nowhere, unless a host keeps files of the run. */
import { Context, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { createExclusive, makePrivateDirectory } from "../platform/PrivateFiles.ts"

interface ToolSpillShape {
  /**
   * The absolute path of a new file with the text, or nothing when it could not be kept. `directory`: absolute, where the
   * workflow wants it.
   */
  readonly keep: (tool: string, text: string, directory: string | undefined) => Effect.Effect<Option.Option<string>>
}

export class ToolSpill extends Context.Reference<ToolSpill>()("conductor/ToolSpill", {
  defaultValue: (): ToolSpillShape => ({ keep: () => Effect.succeedNone })
}) {}

const fileName = (tool: string): string => `${tool.replace(/[^\w-]/g, "_").slice(0, 64)}-${randomUUID()}.txt`

/**
 * `folder`: that of the run, absolute; it is made with the first file. Folders are 0700, files 0600. `hide` takes out of the
 * text what no file of a run may hold.
 */
export const layerFiles = (folder: string, hide: (text: string) => string): Layer.Layer<never> =>
  Layer.succeed(ToolSpill, {
    keep: (tool, text, directory = folder) => {
      const path = join(directory, fileName(tool))
      return makePrivateDirectory(directory).pipe(
        Effect.zipRight(createExclusive(path, hide(text))),
        Effect.as(Option.some(path)),
        Effect.catchAll(({ message }) => Effect.as(Effect.logWarning(message), Option.none()))
      )
    }
  })
