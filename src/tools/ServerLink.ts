/** How a server is reached: what the SDK sends and hears through, and what is known when it has gone away. */
import type { Effect } from "effect"
import type { Transport } from "./McpSdk.ts"

export interface ServerLink {
  readonly transport: Transport
  /** Of a link that is closed: why, in words that go behind the name of the server. */
  readonly ending: Effect.Effect<string>
}

/** The largest message that is read, in bytes: far beyond what a step could use. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

export const tooLargeText = `it sent more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB in one message`
