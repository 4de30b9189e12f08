/** Everything that is logged goes to stderr: stdout is the protocol's, and some default loggers write to it. */
import { type Layer, Logger } from "effect"

export const stderrLogger: Layer.Layer<never> = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(Logger.logfmtLogger)
)
