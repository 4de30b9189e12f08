/** What the SDK throws, in words that go behind the name of a server. Headers and tokens must never be part of it. */
import type { McpSdk } from "./McpSdk.ts"

const MAX_DETAIL = 500

/** An error and what it says it was caused by, outermost first. */
const chain = (cause: unknown, depth = 0): ReadonlyArray<unknown> =>
  cause instanceof Error && depth < 10 ? [cause, ...chain(cause.cause, depth + 1)] : [cause]

const innermostMessage = (causes: ReadonlyArray<unknown>): string => {
  const messages = causes.flatMap((cause) => (cause instanceof Error && cause.message !== "" ? [cause.message] : []))
  const message = messages.at(-1) ?? "unknown failure"
  return message.length > MAX_DETAIL ? `${message.slice(0, MAX_DETAIL).toWellFormed()}…` : message
}

const statusText = (status: number, server: string): string =>
  status === 401 || status === 403
    ? `it answered HTTP ${status}; check workflow.runtime.mcp_servers.${server}.headers`
    : `it answered HTTP ${status}; check workflow.runtime.mcp_servers.${server}.url`

const statusIn = (sdk: McpSdk, causes: ReadonlyArray<unknown>): number | undefined =>
  causes.some((cause) => sdk.UnauthorizedError.isInstance(cause))
    ? 401
    : causes.find((cause) => sdk.SdkHttpError.isInstance(cause))?.status

export const failureText = (sdk: McpSdk, server: string, cause: unknown): string => {
  const causes = chain(cause)
  const status = statusIn(sdk, causes)
  return status === undefined ? innermostMessage(causes) : statusText(status, server)
}

const isBrokenPipe = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "EPIPE" || cause.code === "ERR_STREAM_DESTROYED")

/** Whether it tells of a closed connection and of nothing else, so that there is more to learn from the connection. */
export const isDisconnect = (sdk: McpSdk, cause: unknown): boolean => {
  const causes = chain(cause)
  return (
    statusIn(sdk, causes) === undefined && causes.some((cause) => sdk.SdkError.isInstance(cause) || isBrokenPipe(cause))
  )
}
