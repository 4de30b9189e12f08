/**
 * Where the workflow is that a step names: the order of workflow language §5.9, in this one place for validation and for
 * runs. A file beside the workflow that names it wins over everything of the same name.
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Option } from "effect"
import { isFile } from "./LookAtFiles.ts"
import { parseReference } from "./Reference.ts"
import { ReferencedWorkflows, type FoundWorkflow } from "./ReferencedWorkflows.ts"

/** `directory`: of the workflow that refers, absolute; the working directory of the process when it came from no file. */
export const locateSubWorkflow = Effect.fn("SubWorkflow.locate")(function* (
  reference: string,
  directory: string | undefined
): Effect.fn.Return<FoundWorkflow, never, FileSystem | Path> {
  const { resolve } = yield* Path
  const { find, sibling } = yield* ReferencedWorkflows
  const base = directory ?? resolve()
  const file = resolve(base, reference)
  if (yield* isFile(file)) return { _tag: "Found", file }
  const parsed = parseReference(reference, "no-file")
  if (Either.isLeft(parsed)) return { _tag: "Refused", message: parsed.left.message }
  if (parsed.right._tag !== "File") return yield* find(parsed.right)
  return Option.match(yield* sibling(reference, base), {
    onNone: () => ({
      _tag: "Refused",
      message: `Sub-workflow file not found: '${reference}' (looked for ${file})`
    }),
    onSome: (file) => ({ _tag: "Found", file })
  })
})
