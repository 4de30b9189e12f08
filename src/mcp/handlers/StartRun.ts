/** Starts a run of a served workflow and answers for it: at once, or after a bounded wait. */
import { Clock, Effect } from "effect"
import type { CatalogueEntry } from "../../catalogue/CatalogueEntry.ts"
import { decodeArguments } from "../../catalogue/DecodeArguments.ts"
import type { ValueMap } from "../../domain/Value.ts"
import { RunLauncher } from "../../runs/RunLauncher.ts"
import type { RunView } from "../../runs/RunView.ts"
import { hostLimit } from "../HostLimits.ts"
import { RunAnswers } from "../RunAnswers.ts"
import { RunAdmission } from "../RunAdmission.ts"
import { ServeContext } from "../ServeContext.ts"
import type { Client, ToolCall } from "../ToolSurface.ts"
import { waitForRun } from "../Waiting.ts"
import { startWait } from "../WaitTime.ts"

const longestClient = 200

const clientText = ({ name, version }: Client): string => `${name} ${version}`.slice(0, longestClient).toWellFormed()

const launch = Effect.fn("StartRun.launch")(function* (entry: CatalogueEntry, inputs: ValueMap, call: ToolCall) {
  const launcher = yield* RunLauncher
  const admission = yield* RunAdmission
  const { options } = yield* ServeContext
  const started = launcher.launch({
    file: entry.file,
    registry: entry.registry,
    key: entry.key,
    pin: entry.pin,
    inputs,
    metadata: { conductor_mcp_server: "true", conductor_mcp_tool: entry.tool },
    launchDirectory: options.launchDirectory,
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    provenance: {
      via: "mcp",
      tool: entry.tool,
      ...(call.client === undefined ? {} : { client: clientText(call.client) })
    }
  })
  return yield* admission.admit(started)
})

/** The run is there: whatever goes wrong while waiting for it must not hide its name. */
const withWarning = (view: RunView, warning: string): RunView => ({ ...view, warnings: [...view.warnings, warning] })

/** `given` are the arguments by the entry's own schema, `_wait_seconds` included. */
export const startRun = Effect.fn("startRun")(function* (entry: CatalogueEntry, given: unknown, call: ToolCall) {
  const answers = yield* RunAnswers
  const { options } = yield* ServeContext
  const { inputs, waitSeconds } = yield* decodeArguments(entry, given)
  const began = yield* Clock.currentTimeMillis
  const started = yield* launch(entry, inputs, call)
  const spent = Math.max(0, (yield* Clock.currentTimeMillis) - began) / 1_000
  const limits = { server: options.maxWaitSeconds, host: hostLimit(call.client?.name) }
  const seconds = startWait(waitSeconds, entry.mode, limits)
  const view =
    seconds === 0
      ? started
      : yield* waitForRun(started.runId, seconds - spent, call.progress).pipe(
          Effect.catchAll((error) => Effect.succeed(withWarning(started, error.message)))
        )
  return answers.of(view, { outputSchema: entry.outputSchema })
})
