/** What is checked before a run gets a folder: the directory is there, the file can be read and is what was pinned, the inputs can be kept. */
import { Effect, Record } from "effect"
import { readFile, stat } from "node:fs/promises"
import type { SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import { pinOf } from "../domain/Pin.ts"
import { hasNonFinite, stringifyJson } from "../domain/Value.ts"
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

const inspect = (path: string) => Effect.tryPromise({ try: () => stat(path), catch: fileError("inspect", path) })

/** The directory that a run works in must be one. */
export const checkDirectory = Effect.fnUntraced(function* (path: string) {
  const info = yield* Effect.mapError(inspect(path), (error) =>
    refuse("directory", `The launch directory cannot be used. ${error.message}`)
  )
  if (!info.isDirectory()) {
    return yield* refuse("directory", `The launch directory ${path} is a file. Name a folder instead.`)
  }
})

const readWorkflow = Effect.fnUntraced(function* (file: string) {
  const info = yield* Effect.mapError(inspect(file), (error) => refuse("workflow", error.message))
  // A pipe that has taken the place of the file would let its reader wait for ever.
  if (!info.isFile())
    return yield* refuse("workflow", `${file} is not an ordinary file any more. Put the workflow back.`)
  return yield* Effect.tryPromise({ try: () => readFile(file), catch: fileError("read", file) }).pipe(
    Effect.mapError((error) => refuse("workflow", error.message))
  )
})

/**
 * Secrets are not kept in clear. `workflow.name` is only known to whoever reads the file as a workflow; the key stands in until the
 * run says it.
 */
export const checkLaunch = Effect.fn("LaunchCheck.check")(function* (
  request: LaunchRequest,
  { hide, hideText }: SecretPlaceholders
) {
  const { file, gates, inputs, instructions, key, launchDirectory, metadata, provenance, provider, registry } = request
  yield* checkDirectory(launchDirectory)
  const workflow = yield* readWorkflow(file)
  const pin = pinOf(workflow)
  if (request.pin !== undefined && request.pin !== pin) {
    return yield* refuse(
      "drift",
      `The workflow file ${file} has changed since it was pinned (${request.pin}, now ${pin}). Nothing was started. ` +
        "Restart the server to serve the changed file."
    )
  }
  // `1e400` is valid JSON, and no reader of it has a number for it.
  const unwritable = Object.entries(inputs).find(([, value]) => hasNonFinite(value))
  if (unwritable !== undefined) {
    return yield* refuse(
      "inputs",
      `Input '${unwritable[0]}' holds a number that is too large. Give a smaller one, or a text.`
    )
  }
  const draft: RunDraft = {
    workflow: { name: key, registry, key, pin, file },
    inputs: stringifyJson(hide(inputs)),
    metadata: Record.map(metadata, hideText),
    launch_directory: launchDirectory,
    ...(provider === undefined ? {} : { provider }),
    ...(gates === undefined ? {} : { gates }),
    ...(instructions === undefined ? {} : { instructions }),
    provenance
  }
  return { draft, workflow } satisfies CheckedLaunch
})
