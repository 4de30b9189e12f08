/** What can tell the process of a run to stop from outside of its inbox: signals, and errors that nobody caught. */
import { Effect } from "effect"
import type { StopRequest } from "./RunSession.ts"

const stopSignals: ReadonlyArray<NodeJS.Signals> = ["SIGTERM", "SIGINT"]

/** The terminal that a run was started from may close; the run has nothing to do with it. */
const ignoredSignals: ReadonlyArray<NodeJS.Signals> = process.platform === "win32" ? [] : ["SIGHUP"]

/** The handlers stay for the life of the process: a second signal must not kill it in the middle of its clean-up. */
export const processStopped: Effect.Effect<StopRequest> = Effect.async((resume) => {
  const crash = (error: unknown): void => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    resume(Effect.succeed({ _tag: "Crash", message }))
  }
  for (const signal of stopSignals) {
    process.on(signal, () => resume(Effect.succeed({ _tag: "Cancel", message: `Its process received ${signal}.` })))
  }
  for (const signal of ignoredSignals) process.on(signal, () => {})
  process.on("uncaughtException", crash)
  process.on("unhandledRejection", crash)
})
