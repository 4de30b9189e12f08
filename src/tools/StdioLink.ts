/** A server that is a process of this machine, spoken to through its pipes. What is no message on its stdout is skipped. */
import { Deferred, Effect, Option, type Scope } from "effect"
import { Environment } from "../platform/Environment.ts"
import type { ProcessGuard } from "../platform/ProcessGuard.ts"
import { startServerProcess, type ServerProcess } from "../platform/ServerProcess.ts"
import type { ChildExit } from "../platform/SpawnChild.ts"
import { LineBuffer } from "./LineBuffer.ts"
import type { McpSdk, Transport } from "./McpSdk.ts"
import { MAX_MESSAGE_BYTES, tooLargeText, type ServerLink } from "./ServerLink.ts"
import { ToolServerError, type ServerUse } from "./ToolServers.ts"

/**
 * What a server gets of our environment beside its own `env`: what programs need to work at all. Keys and tokens of the
 * run are not for every server that it uses.
 */
const INHERITED = new Set(
  (
    "HOME LANG LC_ALL LOGNAME PATH SHELL TERM TMPDIR TZ USER " +
    "APPDATA COMSPEC LOCALAPPDATA PATHEXT PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERPROFILE"
  ).split(" ")
)

const environmentOf = (
  variables: ReadonlyMap<string, string>,
  own: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries([...variables].filter(([name]) => INHERITED.has(name.toUpperCase()))),
  ...own
})

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** `tooLarge` is told when the server says more than it may. */
const transportOver = (sdk: McpSdk, { input, output }: ServerProcess, tooLarge: () => void): Transport => {
  const buffer = new LineBuffer(MAX_MESSAGE_BYTES)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    transport.onclose?.()
  }
  const hear = (line: string) => {
    try {
      transport.onmessage?.(sdk.deserializeMessage(line))
    } catch (cause) {
      transport.onerror?.(asError(cause))
    }
  }
  const read = (chunk: Buffer) => {
    if (!isOpen) return
    try {
      for (const line of buffer.push(chunk)) hear(line)
    } catch {
      tooLarge()
      close()
    }
  }
  const transport: Transport = {
    start: () => {
      output.on("data", read).once("close", close)
      return Promise.resolve()
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        input.write(sdk.serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      }),
    close: () => Promise.resolve(close())
  }
  return transport
}

const exitText = ({ exitCode, signal }: ChildExit): string =>
  signal === undefined ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`

/** The output of a process is closed a moment before the process is gone. */
const endingOf = ({ exited, lastErrors }: ServerProcess) =>
  Effect.gen(function* () {
    const exit = yield* Effect.timeoutOption(Deferred.await(exited), "500 millis")
    const words = yield* lastErrors
    const how = Option.match(exit, { onNone: () => "it closed its output", onSome: exitText })
    return words === "" ? how : `${how}; its last words: ${words}`
  })

/** The process ends with the scope. */
export const stdioLink = (
  sdk: McpSdk,
  { definition, name, workingDirectory }: ServerUse,
  guard: ProcessGuard,
  runId: string
): Effect.Effect<ServerLink, ToolServerError, Scope.Scope | Environment> =>
  Effect.gen(function* () {
    const { variables } = yield* Environment
    const command = {
      command: definition.command ?? "",
      args: definition.args,
      env: environmentOf(variables, definition.env),
      ...(workingDirectory === undefined ? {} : { cwd: workingDirectory })
    }
    const process = yield* Effect.mapError(
      startServerProcess(command, guard, runId),
      ({ message }) =>
        new ToolServerError({
          server: name,
          reason: "start",
          message: `MCP server '${name}' could not be started: ${message}`
        })
    )
    let isTooLarge = false
    const transport = transportOver(sdk, process, () => {
      isTooLarge = true
    })
    return { transport, ending: Effect.suspend(() => (isTooLarge ? Effect.succeed(tooLargeText) : endingOf(process))) }
  })
