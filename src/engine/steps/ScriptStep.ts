/**
 * Runs a command of the author's, without a shell (workflow language §5.15). A non-zero exit is a result that routes can
 * look at, not a failure.
 */
import { Duration, Effect, Either, Option } from "effect"
import { isMap, parseJson, type ValueMap } from "../../domain/Value.ts"
import type { ScriptNode } from "../../language/PlanNode.ts"
import type { TemplateError } from "../../language/template/TemplateError.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import { Environment } from "../../platform/Environment.ts"
import { inLaunchDirectory, LaunchDirectory } from "../../platform/LaunchDirectory.ts"
import { ProcessRunner, type ProcessResult, type ProcessSpec } from "../../platform/ProcessRunner.ts"
import { ExecutionError, failureOf, ValidationError, type EngineError } from "../EngineErrors.ts"
import { shapeOf, validateOutput } from "../OutputValidation.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

/** A `conductor` inside the script must not take over the identity of this run (run files and events §1.8). */
const OURS = /^CONDUCTOR_(?:RUN_ID|SELF_RUN_ID|WEB_BG|WEB_PORT|BG_.*)$/

const childEnvironment = (
  inherited: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries([...inherited].filter(([name]) => !OURS.test(name))),
  PYTHONUTF8: "1",
  ...own
})

interface Rendered {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string | undefined
  readonly stdin: string | undefined
}

const render = ({ context, step }: StepRun<ScriptNode>): Either.Either<Rendered, TemplateError> => {
  const text = (template: string) => renderTemplate(template, context)
  const optional = (template: string | undefined) => (template === undefined ? Either.right(undefined) : text(template))
  return Either.all({
    command: text(step.command),
    args: Either.all(step.args.map(text)),
    cwd: optional(step.working_dir),
    stdin: optional(step.stdin)
  })
}

const specOf = (
  { step }: StepRun<ScriptNode>,
  rendered: Rendered,
  inherited: ReadonlyMap<string, string>
): ProcessSpec => ({
  command: rendered.command,
  args: rendered.args,
  env: childEnvironment(inherited, step.env),
  ...(rendered.cwd === undefined ? {} : { cwd: rendered.cwd }),
  ...(rendered.stdin === undefined ? {} : { stdin: rendered.stdin }),
  ...(step.timeout === undefined ? {} : { timeout: Duration.seconds(step.timeout) })
})

const checkStdin = ({ step }: StepRun<ScriptNode>, { stdin }: Rendered): Either.Either<void, ExecutionError> =>
  stdin === undefined || stdin.isWellFormed()
    ? Either.void
    : Either.left(
        new ExecutionError({
          message: `Script '${step.name}': stdin cannot be written as UTF-8 (it holds half a character)`
        })
      )

const jsonObject = (stdout: string): Option.Option<ValueMap> =>
  Option.filter(Option.liftThrowable(parseJson)(stdout.trim()), isMap)

/** The keys of a JSON object on stdout are laid over the three base fields. */
const outputOf = ({ step }: StepRun<ScriptNode>, result: ProcessResult): Either.Either<ValueMap, ValidationError> => {
  const base = { stdout: result.stdout, stderr: result.stderr, exit_code: result.exitCode }
  const printed = jsonObject(result.stdout)
  if (step.output === undefined) return Either.right({ ...base, ...Option.getOrElse(printed, () => ({})) })
  if (Option.isSome(printed)) return validateOutput(step.name, step.output, { ...base, ...printed.value })
  const message =
    `Script '${step.name}' declares an output and must print one JSON object and nothing else, ` +
    `got ${shapeOf(result.stdout)}`
  return Either.left(new ValidationError({ message }))
}

const execute = (run: StepRun<ScriptNode>) =>
  Effect.gen(function* () {
    const written = yield* render(run)
    yield* checkStdin(run, written)
    const rendered = { ...written, cwd: inLaunchDirectory(yield* LaunchDirectory, written.cwd) }
    const runner = yield* ProcessRunner
    const { variables } = yield* Environment
    const result = yield* Effect.mapError(
      runner.run(specOf(run, rendered, variables)),
      (error) => new ExecutionError({ message: `Script '${run.step.name}': ${error.message}` })
    )
    const stdinBytes = rendered.stdin === undefined ? null : Buffer.byteLength(rendered.stdin, "utf8")
    return { result, stdinBytes }
  })

export const runScriptStep = (run: StepRun<ScriptNode>): StepEffect<ProcessRunner | Environment> =>
  Effect.gen(function* () {
    const { execution, journal, step } = run
    const elapsed = yield* stopwatch
    const fail = (error: EngineError, ran: Partial<Printed> = {}) =>
      Effect.flatMap(elapsed, (elapsed) =>
        journal.append("script_failed", { agent_name: step.name, elapsed, ...failureOf(error), ...ran })
      )
    yield* journal.append("script_started", { agent_name: step.name, iteration: execution })
    const { result, stdinBytes } = yield* Effect.tapError(execute(run), (error) => fail(error))
    const printed: Printed = { stdout: result.stdout, stderr: result.stderr, exit_code: result.exitCode }
    const output = yield* Effect.tapError(outputOf(run, result), (error) => fail(error, printed))
    yield* journal.append("script_completed", {
      agent_name: step.name,
      elapsed: yield* elapsed,
      ...printed,
      stdin_bytes: stdinBytes,
      output
    })
  })

interface Printed {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number
}
