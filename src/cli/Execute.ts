/**
 * Runs one command to its end: live services, signals, exit codes. 0 done, 1 failed, 2 called wrongly, 130 interrupted
 * with Ctrl-C, 141 when nobody reads the output any more, as for any program that a pipe ends.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Cause, Effect, Exit, FiberId, Layer, Logger, Option } from "effect"
import { flushCodeCache } from "../platform/CodeCache.ts"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { RunEntry } from "../runs/RunEntry.ts"
import { CliFailure } from "./CliFailure.ts"
import type { CommandCall } from "./CommandLine.ts"
import { open, type CommandFailure } from "./Handlers.ts"
import { Interrupts, makeInterrupts } from "./Interrupts.ts"
import { Output, OutputClosed, shown } from "./output/Output.ts"

const interrupted: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGINT: 130, SIGTERM: 143 }
const closedPipe = 141
/** The longest that a timer of Node can be, in milliseconds. */
const longestDelay = 2 ** 31 - 1

/** What went wrong, for a person; nothing when there is nobody to tell, or who asked for it knows. */
const explain = (cause: Cause.Cause<CommandFailure>): Option.Option<string> => {
  if (Cause.isInterruptedOnly(cause)) return Option.none()
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) {
    return Option.some(`Internal error, which is a fault of conductor:\n${Cause.pretty(cause)}`)
  }
  return failure.value instanceof OutputClosed ? Option.none() : Option.some(failure.value.message)
}

export const exitCode = (exit: Exit.Exit<void, CommandFailure>, signal: NodeJS.Signals = "SIGINT"): number => {
  if (Exit.isSuccess(exit)) return 0
  if (Cause.isInterruptedOnly(exit.cause)) return interrupted[signal] ?? 1
  const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (failure instanceof OutputClosed) return closedPipe
  return failure instanceof CliFailure ? failure.exitCode : 1
}

/** The first line says what is wrong and is coloured; the rest says what to do. */
export const report = (cause: Cause.Cause<CommandFailure>) =>
  Effect.gen(function* () {
    const output = yield* Output
    const text = explain(cause)
    if (Option.isNone(text)) return
    const [first = "", ...rest] = shown(text.value).split("\n")
    yield* output.report([output.errorStyle.red(first), ...rest].join("\n"))
  })

const logger = Logger.withConsoleError(
  Logger.make(({ logLevel, message }) => `${logLevel.label.toLowerCase()}: ${shown(String(message))}`)
)

const services = Layer.mergeAll(
  Output.layerProcess.pipe(Layer.provideMerge(Environment.layerProcess)),
  Home.layer,
  RunEntry.layerSelf,
  NodeFileSystem.layer,
  NodePath.layer,
  Logger.replace(Logger.defaultLogger, logger)
)

/** Milliseconds. `npx` passes on the signal that the terminal has sent to us as well: twice at once is one Ctrl-C. */
const sameSignal = 500

const leave = (signal: NodeJS.Signals): void => {
  process.stderr.write("Left without waiting. 'conductor runs list' shows what still goes on.\n")
  process.exit(interrupted[signal])
}

/**
 * The first signal ends the command in good order, unless the command takes Ctrl-C for itself; a second one does not wait
 * for that. A terminal that is closed, or a kill, ends only the watching: a run lives on.
 */
export const execute = (call: CommandCall): void => {
  let ending: NodeJS.Signals | undefined
  const end = (signal: NodeJS.Signals): void => {
    if (ending !== undefined) return leave(signal)
    ending = signal
    fiber.unsafeInterruptAsFork(FiberId.none)
  }
  const interrupts = makeInterrupts(() => end("SIGINT"))
  const program = Effect.flatten(Effect.promise(() => open(call))).pipe(
    Effect.tapErrorCause(report),
    Effect.provideService(Interrupts, interrupts.service),
    Effect.provide(services)
  )
  const fiber = Effect.runFork(program)
  // Nothing else may hold the process while it waits for another one: watching a run keeps no process alive.
  setInterval(() => undefined, longestDelay)
  let last = Number.NEGATIVE_INFINITY
  const receive = (signal: NodeJS.Signals): void => {
    const at = performance.now()
    if (at - last <= sameSignal) return
    last = at
    if (signal === "SIGINT") interrupts.press()
    else end(signal)
  }
  process.on("SIGINT", receive)
  process.on("SIGTERM", receive)
  fiber.addObserver((exit) => {
    flushCodeCache()
    process.exit(exitCode(exit, ending))
  })
}
