/**
 * The tools at work: one runtime for all calls of a server. Loaded behind the first answers of a server, since it brings
 * Effect and everything that runs need.
 */
import { Cause, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { type Boundary, makeBoundary } from "../boundary/Boundary.ts"
import { makeRedactor } from "../boundary/Redactor.ts"
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import type { RunCancellation } from "../runs/RunCancellation.ts"
import type { RunLauncher } from "../runs/RunLauncher.ts"
import type { RunMonitor } from "../runs/RunMonitor.ts"
import { callTool, type ToolServices } from "./CallTool.ts"
import { internalError, unavailable } from "./Refusal.ts"
import { RunAdmission } from "./RunAdmission.ts"
import { RunAnswers } from "./RunAnswers.ts"
import { ServeContext } from "./ServeContext.ts"
import type { ServeOptions } from "./ServeFlags.ts"
import { stderrLogger } from "./StderrLogger.ts"
import type { ToolCall, ToolResult } from "./ToolSurface.ts"

export interface Session {
  /** Never rejects but when the call was given up. */
  readonly call: (call: ToolCall) => Promise<ToolResult>
  /** Builds what calls need, so that the first one need not wait for it. */
  readonly warm: () => Promise<void>
  /** Interrupts all calls. Runs go on. */
  readonly close: () => Promise<void>
}

export type RunServices = Boundary | RunCancellation | RunLauncher | RunMonitor

/** Knows the shapes of secrets, and is there before the services are. */
const plainBoundary = makeBoundary(makeRedactor([]))
const longestMessage = 2_048

/** A call itself never fails, so a failure is that of the services: a full disk, a home that cannot be read. */
const failureOf = <E>(cause: Cause.Cause<E>): ToolResult => {
  const failure = Cause.squash(cause)
  return failure instanceof Error && Cause.isFailure(cause)
    ? unavailable(plainBoundary.text(failure.message, { maxBytes: longestMessage }))
    : internalError
}

export const openSession = <E>(
  services: Layer.Layer<RunServices, E>,
  contents: CatalogueContents,
  options: ServeOptions
): Session => {
  const context = Layer.succeed(ServeContext, { contents, options })
  const layer: Layer.Layer<ToolServices, E> = Layer.merge(RunAdmission.layer, RunAnswers.layer).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(context),
    Layer.provideMerge(stderrLogger),
    // Spans are a fifth of what a call costs, and nobody collects them here.
    Layer.provideMerge(Layer.setTracerEnabled(false))
  )
  let runtime = ManagedRuntime.make(layer)
  const replace = async (broken: typeof runtime): Promise<void> => {
    if (runtime === broken) runtime = ManagedRuntime.make(layer)
    await broken.dispose()
  }
  return {
    call: async (call) => {
      const current = runtime
      const exit = await current.runPromiseExit(callTool(call), { signal: call.signal })
      if (Exit.isSuccess(exit)) return exit.value
      call.signal.throwIfAborted()
      // A runtime remembers that its services could not be built; the next call may find the machine mended.
      await replace(current)
      return failureOf(exit.cause)
    },
    warm: () => runtime.runPromise(Effect.void),
    close: () => runtime.dispose()
  }
}
