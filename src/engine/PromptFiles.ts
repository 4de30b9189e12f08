/**
 * The files that the prompts of a workflow include, before any prompt is rendered. Names that a template computes are not
 * known by then; such a file is read where it is, whenever a step wants it.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Either, Option } from "effect"
import { basename, dirname, join } from "node:path"
import { interpolate } from "../language/Interpolation.ts"
import type { Plan } from "../language/Plan.ts"
import type { PlanNode, PromptTemplate } from "../language/PlanNode.ts"
import { namedTemplates } from "../language/template/Template.ts"
import { Environment } from "../platform/Environment.ts"
import { leavesDirectory } from "./PromptRendering.ts"

const promptsOf = (node: PlanNode): ReadonlyArray<PromptTemplate> => {
  switch (node.kind) {
    case "agent":
      return node.system_prompt === undefined ? [node.prompt] : [node.prompt, node.system_prompt]
    case "human_gate":
    case "questions":
      return [node.prompt]
    case "parallel":
      return node.members.flatMap(promptsOf)
    case "for_each":
      return promptsOf(node.step)
    default:
      return []
  }
}

/** The text as it will be rendered; none when there is no such file, which a step finds out when it wants it. */
const readText = Effect.fnUntraced(function* (path: string) {
  const fileSystem = yield* FileSystem
  const { variables } = yield* Environment
  const source = yield* Effect.option(fileSystem.readFileString(path))
  return Option.map(source, (text) => Either.getOrElse(interpolate(text, variables), () => text))
})

/** Absolute paths, each once. Names are relative to the directory of the prompt, in the files that it includes, too. */
const includedBy = Effect.fnUntraced(function* (template: string, origin: string) {
  const directory = dirname(origin)
  const found = new Set<string>()
  const waiting = [{ text: template, path: origin }]
  for (const { path, text } of waiting) {
    for (const name of namedTemplates(text, basename(path))) {
      const named = join(directory, name)
      if (leavesDirectory(name) || found.has(named)) continue
      const content = yield* readText(named)
      if (Option.isNone(content)) continue
      found.add(named)
      waiting.push({ text: content.value, path: named })
    }
  }
  return [...found]
})

export const promptFiles = (plan: Plan) =>
  Effect.forEach([...plan.nodes.values()].flatMap(promptsOf), ({ origin, template }) =>
    origin === undefined ? Effect.succeed([]) : includedBy(template, origin)
  ).pipe(Effect.map((files) => [...new Set(files.flat())]))
