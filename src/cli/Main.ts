/** The command line: parsing, the live services, exit codes. 0 done, 1 failed, 2 called wrongly, 130 interrupted. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Command, ValidationError } from "@effect/cli"
import { Cause, Effect, Exit, Layer, Logger, Option } from "effect"
import { Environment } from "../platform/Environment.ts"
import { version } from "../platform/Version.ts"
import { Home } from "../platform/Home.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import { RegistriesLive } from "../registries/RegistriesLive.ts"
import { RunsLive } from "../runs/RunsLive.ts"
import { RunEntry } from "../runs/RunEntry.ts"
import { CliFailure } from "./CliFailure.ts"
import { conductor } from "./Conductor.ts"
import { Output, shown } from "./output/Output.ts"

/** What went wrong, for a person. `@effect/cli` has already said what was wrong with the call itself. */
const explain = (cause: Cause.Cause<unknown>): Option.Option<string> => {
  if (Cause.isInterruptedOnly(cause)) return Option.none()
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) return Option.some(`Internal error: ${Cause.pretty(cause)}`)
  if (ValidationError.isValidationError(failure.value)) return Option.none()
  return Option.some(failure.value instanceof Error ? failure.value.message : String(failure.value))
}

const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.isInterruptedOnly(exit.cause)) return 130
  const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (failure instanceof CliFailure) return failure.exitCode
  return ValidationError.isValidationError(failure) ? 2 : 1
}

const services = Layer.mergeAll(RunsLive, RegistriesLive, Output.layerProcess, ProcessRunner.layer({})).pipe(
  Layer.provideMerge(Layer.mergeAll(Home.layer, RunEntry.layerSelf, Environment.layerProcess)),
  Layer.provideMerge(NodeContext.layer),
  Layer.provideMerge(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)))
)

/** `argv` as Node gives it: the program and its script come first. */
export const main = (argv: ReadonlyArray<string>): void => {
  const run = Command.run(conductor, { name: "conductor", version })
  const program = run(argv).pipe(
    Effect.tapErrorCause((cause) =>
      Effect.flatMap(Output, (output) =>
        Option.match(explain(cause), {
          onNone: () => Effect.void,
          onSome: (text) => output.report(output.errorStyle.red(shown(text)))
        })
      )
    ),
    Effect.provide(services)
  )
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, onExit) => onExit(exitCode(exit))
  })
}
