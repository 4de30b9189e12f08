/**
 * Finds the workflows that steps name, and reads them. A reference leads to one file and a file is read once for a run, so
 * that a change on disk or in a registry cannot give one run two versions of a workflow.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Layer, Ref } from "effect"
import type { ResolvedReference } from "../domain/ResolvedReference.ts"
import { loadWorkflow } from "../language/Loader.ts"
import { locateSubWorkflow } from "../language/LocateSubWorkflow.ts"
import { compilePlan } from "../language/Plan.ts"
import { ReferencedWorkflows, type FoundWorkflow } from "../language/ReferencedWorkflows.ts"
import type { Environment } from "../platform/Environment.ts"
import { WorkflowNotResolved, WorkflowResolver, type ResolvedWorkflow } from "./WorkflowResolver.ts"

type Read = Either.Either<ResolvedWorkflow, string>

const read = (path: string): Effect.Effect<Read, never, FileSystem | Path | Environment> =>
  loadWorkflow(path).pipe(
    Effect.map((loaded) => ({ plan: compilePlan(loaded), files: [loaded.path, ...loaded.includedFiles] })),
    Effect.mapError(({ message }) => message),
    Effect.either
  )

const leadsNowhere = (reference: string, found: Exclude<FoundWorkflow, { readonly _tag: "Found" }>) =>
  found._tag === "Refused"
    ? new WorkflowNotResolved({ reference, reason: "missing", message: found.message })
    : new WorkflowNotResolved({
        reference,
        reason: "unsupported",
        message:
          `'${reference}' is no file beside its workflow, and ${found.reason}. ` +
          "Write the path of a workflow file, relative to this workflow's own."
      })

const keyOf = (reference: string, directory: string | undefined): string => `${directory ?? ""}\0${reference}`

/** `known`: where references have led before, for a run that goes on. The disk and the registries are not asked for them. */
export const make = Effect.fn("FileWorkflowResolver.make")(function* (known: ReadonlyArray<ResolvedReference> = []) {
  const services = yield* Effect.context<FileSystem | Path | Environment>()
  const referenced = yield* ReferencedWorkflows
  const located = yield* Ref.make<ReadonlyMap<string, string>>(
    new Map(known.map(({ directory, file, reference }) => [keyOf(reference, directory), file]))
  )
  const contents = yield* Ref.make<ReadonlyMap<string, Read>>(new Map())

  /** What leads nowhere is looked for again: a step may write the file that a later one runs. */
  const locate = Effect.fnUntraced(function* (reference: string, directory: string | undefined) {
    const key = keyOf(reference, directory)
    const before = (yield* Ref.get(located)).get(key)
    if (before !== undefined) return before
    const found = yield* locateSubWorkflow(reference, directory).pipe(
      Effect.provideService(ReferencedWorkflows, referenced),
      Effect.provide(services)
    )
    if (found._tag !== "Found") return yield* leadsNowhere(reference, found)
    yield* Ref.update(located, (all) => new Map(all).set(key, found.file))
    return found.file
  })

  const readOnce = Effect.fnUntraced(function* (path: string) {
    const before = (yield* Ref.get(contents)).get(path)
    if (before !== undefined) return before
    const workflow = yield* Effect.provide(read(path), services)
    yield* Ref.update(contents, (all) => new Map(all).set(path, workflow))
    return workflow
  })

  return WorkflowResolver.of({
    resolve: Effect.fn("WorkflowResolver.resolve")(function* (reference: string, directory: string | undefined) {
      const file = yield* locate(reference, directory)
      return yield* Either.mapLeft(yield* readOnce(file), (reason) => {
        const message = `Sub-workflow '${reference}' cannot be loaded: ${reason}`
        return new WorkflowNotResolved({ reference, reason: "unusable", message })
      })
    })
  })
})

export const layer: Layer.Layer<WorkflowResolver, never, FileSystem | Path | Environment> = Layer.effect(
  WorkflowResolver,
  make()
)
