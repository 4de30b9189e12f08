/** A folder with a workflow and what it needs, which is gone when the test is over. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"

/** Gives the absolute path of the folder. Names of files may have folders in them. */
export const workflowFolder = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "conductor-workflow-"))
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text)
      }
      return folder
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true }))
  )
