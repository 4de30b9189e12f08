/**
 * Finds sub-workflows as files beside the workflow that names them (workflow language §5.9). A file is read once for a
 * run, so that a change on disk cannot give one run two versions of it.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Layer, Ref } from "effect"
import { loadWorkflow } from "../language/Loader.ts"
import { compilePlan } from "../language/Plan.ts"
import type { Environment } from "../platform/Environment.ts"
import { parseReference } from "../registries/Reference.ts"
import { WorkflowNotResolved, WorkflowResolver, type ResolvedWorkflow } from "./WorkflowResolver.ts"

type Read = Either.Either<ResolvedWorkflow, string>

const read = (path: string): Effect.Effect<Read, never, FileSystem | Path | Environment> =>
  loadWorkflow(path).pipe(
    Effect.map((loaded) => ({ plan: compilePlan(loaded), files: [loaded.path, ...loaded.includedFiles] })),
    Effect.mapError(({ message }) => message),
    Effect.either
  )

/** Why a reference that is no existing file leads nowhere. */
const leadsNowhere = (reference: string, path: string): WorkflowNotResolved =>
  Either.match(parseReference(reference, "no-file"), {
    onLeft: ({ message }) => new WorkflowNotResolved({ reference, reason: "missing", message }),
    onRight: ({ _tag }) =>
      _tag === "File"
        ? new WorkflowNotResolved({
            reference,
            reason: "missing",
            message: `Sub-workflow file not found: '${reference}' (looked for ${path})`
          })
        : new WorkflowNotResolved({
            reference,
            reason: "unsupported",
            message:
              `'${reference}' names a workflow of a registry, which a step cannot run yet, and there is no file ${path}. ` +
              "Write the path of a workflow file, relative to this workflow's own."
          })
  })

const make = Effect.gen(function* () {
  const context = yield* Effect.context<FileSystem | Path | Environment>()
  const files = yield* FileSystem
  const paths = yield* Path
  const known = yield* Ref.make<ReadonlyMap<string, Read>>(new Map())

  const readOnce = (path: string): Effect.Effect<Read> =>
    Effect.flatMap(Ref.get(known), (seen) => {
      const before = seen.get(path)
      if (before !== undefined) return Effect.succeed(before)
      return read(path).pipe(
        Effect.tap((workflow) => Ref.update(known, (seen) => new Map(seen).set(path, workflow))),
        Effect.provide(context)
      )
    })

  const isFile = (path: string): Effect.Effect<boolean> =>
    files.stat(path).pipe(
      Effect.map(({ type }) => type === "File"),
      Effect.orElseSucceed(() => false)
    )

  const resolve = Effect.fn("WorkflowResolver.resolve")(function* (reference: string, directory: string | undefined) {
    const path = directory === undefined ? paths.resolve(reference) : paths.resolve(directory, reference)
    if (!(yield* isFile(path))) return yield* leadsNowhere(reference, path)
    return yield* Either.mapLeft(yield* readOnce(path), (reason) => {
      const message = `Sub-workflow '${reference}' cannot be loaded: ${reason}`
      return new WorkflowNotResolved({ reference, reason: "unusable", message })
    })
  })
  return { resolve }
})

export const layer: Layer.Layer<WorkflowResolver, never, FileSystem | Path | Environment> = Layer.effect(
  WorkflowResolver,
  make
)
