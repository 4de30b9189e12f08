/** What is checked before a run gets a folder: the directory is there, the file can be read, and it is what was pinned. */
import { Effect } from "effect"
import { readFile, stat } from "node:fs/promises"
import { pinOf } from "../domain/Pin.ts"
import { stringifyJson } from "../domain/Value.ts"
import { fileError } from "../platform/PrivateFiles.ts"
import { LaunchError } from "./RunErrors.ts"
import type { LaunchRequest } from "./RunLauncher.ts"
import type { RunDraft } from "./RunStore.ts"

interface CheckedLaunch {
  readonly draft: RunDraft
  /** The bytes of the workflow file, which the pin stands for. */
  readonly workflow: Uint8Array
}

const refuse = (reason: LaunchError["reason"], message: string) => new LaunchError({ reason, message })

const checkDirectory = Effect.fnUntraced(function* (path: string) {
  const info = yield* Effect.tryPromise({ try: () => stat(path), catch: fileError("inspect", path) }).pipe(
    Effect.mapError((error) => refuse("directory", `The launch directory cannot be used. ${error.message}`))
  )
  if (!info.isDirectory()) {
    return yield* refuse("directory", `The launch directory ${path} is a file. Name a folder instead.`)
  }
})

/** `workflow.name` is only known to whoever reads the file as a workflow; the key stands in until the run says it. */
export const checkLaunch = Effect.fn("LaunchCheck.check")(function* (request: LaunchRequest) {
  const { file, inputs, key, launchDirectory, metadata, provenance, provider, registry } = request
  yield* checkDirectory(launchDirectory)
  const workflow = yield* Effect.tryPromise({ try: () => readFile(file), catch: fileError("read", file) }).pipe(
    Effect.mapError((error) => refuse("workflow", error.message))
  )
  const pin = pinOf(workflow)
  if (request.pin !== undefined && request.pin !== pin) {
    return yield* refuse(
      "drift",
      `The workflow file ${file} has changed since it was pinned (${request.pin}, now ${pin}). Nothing was started. ` +
        "Restart the server to serve the changed file."
    )
  }
  const draft: RunDraft = {
    workflow: { name: key, registry, key, pin, file },
    inputs: stringifyJson(inputs),
    metadata,
    launch_directory: launchDirectory,
    ...(provider === undefined ? {} : { provider }),
    provenance
  }
  return { draft, workflow } satisfies CheckedLaunch
})
