/**
 * The MCP servers of one run: each is connected when it is first used, again when it has gone away, and closed with the
 * layer. Processes of the run end with it, however it ends.
 */
import { Effect, ExecutionStrategy, Exit, Layer, Option, Scope, SynchronizedRef } from "effect"
import { randomBytes } from "node:crypto"
import { allowsTool } from "../language/document/McpServers.ts"
import { didYouMean } from "../language/Suggestion.ts"
import { Environment } from "../platform/Environment.ts"
import { makeProcessGuard } from "../platform/ProcessGuard.ts"
import { httpLink } from "./HttpLink.ts"
import { connect, type McpConnection } from "./McpConnection.ts"
import { loadMcpSdk } from "./McpSdk.ts"
import { stdioLink } from "./StdioLink.ts"
import { ToolServerError, ToolServers, type ServerUse, type ToolServersShape } from "./ToolServers.ts"

interface Connected extends McpConnection {
  readonly close: Effect.Effect<void>
}

/** `none` until the first use. */
type Slot = SynchronizedRef.SynchronizedRef<Option.Option<Connected>>

/** A sub-workflow may give the name to another server, and steps may work in different directories. */
const keyOf = ({ definition, name, workingDirectory = "" }: ServerUse): string =>
  JSON.stringify([name, definition.type === "stdio" ? workingDirectory : "", definition])

const noTool = ({ definition, name }: ServerUse, tool: string, known: ReadonlyArray<string>): ToolServerError => {
  const isAllowed = allowsTool(definition, tool)
  const remedy = didYouMean(tool, known) ?? `it has: ${known.join(", ") || "none"}`
  const why = isAllowed
    ? `has no tool '${tool}'; ${remedy}`
    : `may not be asked for '${tool}'; add it to workflow.runtime.mcp_servers.${name}.tools`
  return new ToolServerError({ server: name, reason: "no-tool", message: `MCP server '${name}' ${why}` })
}

const make = (runId: string) =>
  Effect.gen(function* () {
    const pool = yield* Effect.scope
    const environment = yield* Environment
    const guard = yield* makeProcessGuard(runId)
    const slots = new Map<string, Slot>()

    const slotOf = (use: ServerUse): Slot => {
      const key = keyOf(use)
      const slot = slots.get(key) ?? SynchronizedRef.unsafeMake(Option.none<Connected>())
      slots.set(key, slot)
      return slot
    }

    const open = Effect.fn("ToolServers.open")(function* (use: ServerUse) {
      const sdk = yield* loadMcpSdk(use.name)
      const link = yield* use.definition.type === "stdio" ? stdioLink(sdk, use, guard, runId) : httpLink(sdk, use)
      return yield* connect(sdk, use, link)
    })

    /** What was opened for a connection that did not come about is closed at once, and not with the run. */
    const openIn = (use: ServerUse) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const scope = yield* Scope.fork(pool, ExecutionStrategy.sequential)
          const connection = yield* restore(open(use)).pipe(
            Effect.provideService(Scope.Scope, scope),
            Effect.provideService(Environment, environment),
            Effect.onExit((exit) => (Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void))
          )
          return { ...connection, close: Scope.close(scope, Exit.void) } satisfies Connected
        })
      )

    /** One at a time for each server, so that it is started once; those that wait for it get the same. */
    const connection = (use: ServerUse) =>
      SynchronizedRef.modifyEffect(slotOf(use), (slot) =>
        Effect.gen(function* () {
          if (Option.isSome(slot)) {
            if (yield* slot.value.isOpen) return [slot.value, slot] as const
            yield* slot.value.close
          }
          const opened = yield* openIn(use)
          return [opened, Option.some<Connected>(opened)] as const
        })
      )

    const allowed = ({ definition }: ServerUse, { tools }: McpConnection) =>
      tools.filter(({ name }) => allowsTool(definition, name))

    return {
      tools: (use) => Effect.map(connection(use), (connected) => allowed(use, connected)),
      call: Effect.fn("ToolServers.call")(function* (use, tool, input) {
        const connected = yield* connection(use)
        const names = allowed(use, connected).map(({ name }) => name)
        if (!names.includes(tool)) return yield* noTool(use, tool, names)
        return yield* connected.call(tool, input)
      })
    } satisfies ToolServersShape
  })

/** `runId` lets the processes of a run be found from outside, as that of `ProcessRunner` does. */
export const layer = ({
  runId = `process-${randomBytes(5).toString("hex")}`
}: {
  readonly runId?: string
} = {}): Layer.Layer<never, never, Environment> => Layer.scoped(ToolServers, make(runId))
