/**
 * Renders prompts. One that came from a file may include others from beside that file and nowhere else (workflow
 * language §3.1). Rendering is pure and cannot read, so it says which files it wants, gets them, and starts over.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Either } from "effect"
import { basename, dirname, isAbsolute, join } from "node:path"
import type { ValueMap } from "../domain/Value.ts"
import { interpolate } from "../language/Interpolation.ts"
import type { PromptTemplate } from "../language/PlanNode.ts"
import { renderTemplate } from "../language/template/Template.ts"
import { Environment } from "../platform/Environment.ts"
import { ConfigurationError } from "./EngineErrors.ts"

/** The text of a file, or where it was looked for. */
type PartialSource = Either.Either<string, string>

/** More files than any prompt has; a loop that makes up names ends here. */
const MAX_PARTIALS = 256

/** Whether a name leads out of the directory that prompts may include from. */
export const leavesDirectory = (name: string): boolean => isAbsolute(name) || name.split(/[\\/]/).includes("..")

const readPartial = Effect.fn("PromptRendering.readPartial")(function* (directory: string, name: string) {
  const searched = `Searched in: ${directory}`
  if (leavesDirectory(name))
    return Either.left(`Only files below the prompt's own directory can be included. ${searched}`)
  const fileSystem = yield* FileSystem
  const source = yield* Effect.either(fileSystem.readFileString(join(directory, name)))
  if (Either.isLeft(source)) return Either.left(searched)
  const { variables } = yield* Environment
  const text = yield* Effect.mapError(
    interpolate(source.right, variables),
    ({ message, suggestion }) =>
      new ConfigurationError({
        message: [`${name}: ${message}`, suggestion].filter((part) => part !== undefined).join("; ")
      })
  )
  return Either.right(text)
})

const renderFileBacked = Effect.fn("PromptRendering.renderFileBacked")(function* (
  template: string,
  origin: string,
  context: ValueMap
) {
  const partials = new Map<string, PartialSource>()
  for (;;) {
    const wanted = new Set<string>()
    const loader = (name: string): PartialSource => {
      const known = partials.get(name)
      if (known !== undefined) return known
      wanted.add(name)
      return Either.left("not read yet")
    }
    const text = renderTemplate(template, context, { name: basename(origin), loader })
    if (wanted.size === 0) return yield* text
    if (partials.size + wanted.size > MAX_PARTIALS) {
      const message = `The prompt ${basename(origin)} includes more than ${MAX_PARTIALS} files`
      return yield* new ConfigurationError({ message })
    }
    for (const name of wanted) partials.set(name, yield* readPartial(dirname(origin), name))
  }
})

export const renderPrompt = ({ origin, template }: PromptTemplate, context: ValueMap) =>
  Effect.gen(function* () {
    return origin === undefined
      ? yield* renderTemplate(template, context)
      : yield* renderFileBacked(template, origin, context)
  })
