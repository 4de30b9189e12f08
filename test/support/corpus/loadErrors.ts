/** Runs the cases of `load-errors.json`: what is refused on load, what only validation refuses, and what is accepted. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Either, Schema } from "effect"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import type { LoadError } from "../../../src/language/LoadError.ts"
import { renderDiagnostic, type Diagnostic } from "../../../src/language/validate/Diagnostic.ts"
import { validateWithSubWorkflows } from "../../../src/language/validate/SubWorkflows.ts"
import { Environment } from "../../../src/platform/Environment.ts"

const Words = Schema.Array(Schema.String)
const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

export const LoadErrorCase = Schema.Struct({
  id: Schema.String,
  yaml: Schema.String,
  stage: Schema.Literal("load", "validate", "ok"),
  files: Schema.optional(Texts),
  env: Schema.optional(Texts),
  messageContains: Schema.optional(Words),
  pathContains: Schema.optional(Words),
  warnings: Schema.optional(Schema.Int),
  warningContains: Schema.optional(Words),
  oddity: Schema.optional(Schema.Boolean)
})
export type LoadErrorCase = typeof LoadErrorCase.Type

type Judged = Either.Either<ReadonlyArray<Diagnostic>, LoadError>

const store = async (directory: string, { files = {}, yaml }: LoadErrorCase): Promise<string> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
  const file = join(directory, "workflow.yaml")
  await writeFile(file, yaml)
  return file
}

/** Loads and validates in place: includes and sub-workflows are files beside the workflow. */
const judge = async (testCase: LoadErrorCase): Promise<Judged> => {
  const directory = await mkdtemp(join(tmpdir(), "conductor-corpus-"))
  try {
    const validated = Effect.flatMap(loadWorkflow(await store(directory, testCase)), validateWithSubWorkflows)
    const environment = Environment.layerOf({ ...process.env, ...testCase.env })
    return await Effect.runPromise(Effect.either(validated).pipe(Effect.provide([NodeContext.layer, environment])))
  } finally {
    await rm(directory, { recursive: true })
  }
}

const missingWords = (text: string, words: ReadonlyArray<string> = []): string | null => {
  const missing = words.filter((word) => !text.toLowerCase().includes(word.toLowerCase()))
  return missing.length === 0 ? null : `missing ${JSON.stringify(missing)} in: ${text}`
}

const judgeLoad = ({ messageContains, pathContains = [] }: LoadErrorCase, judged: Judged): string | null => {
  if (Either.isRight(judged)) return "it loads"
  const { message, problems } = judged.left
  const unplaced = pathContains.filter((place) => !problems.some(({ path }) => path.includes(place)))
  if (unplaced.length > 0) return `no problem at ${unplaced.join(", ")}: ${message}`
  if (problems.some(({ column, line }) => line === undefined || column === undefined)) return `no position: ${message}`
  return missingWords(message, messageContains)
}

const judgeValidation = ({ messageContains }: LoadErrorCase, judged: Judged): string | null => {
  if (Either.isLeft(judged)) return `it does not load: ${judged.left.message}`
  const errors = judged.right.filter(({ severity }) => severity === "error")
  return errors.length === 0 ? "it is valid" : missingWords(errors.map(renderDiagnostic).join("\n"), messageContains)
}

const judgeOk = ({ warningContains, warnings = 0 }: LoadErrorCase, judged: Judged): string | null => {
  if (Either.isLeft(judged)) return `it does not load: ${judged.left.message}`
  const text = judged.right.map(renderDiagnostic).join("\n")
  if (judged.right.some(({ severity }) => severity === "error")) return `it is not valid: ${text}`
  return judged.right.length === warnings
    ? missingWords(text, warningContains)
    : `${judged.right.length} warnings instead of ${warnings}: ${text}`
}

const JUDGES = { load: judgeLoad, validate: judgeValidation, ok: judgeOk }

/** `null` when the case passes, otherwise why it does not; rejects for a value that is no case. */
export const runLoadErrorCase = async (value: unknown): Promise<string | null> => {
  const testCase = Schema.decodeUnknownSync(LoadErrorCase)(value)
  return JUDGES[testCase.stage](testCase, await judge(testCase))
}
