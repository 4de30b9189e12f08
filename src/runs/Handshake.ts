/** The one line that the process of a run sends to whoever started it: the run has started, or why it has not. */
import { Schema } from "effect"
import { LaunchError } from "./RunErrors.ts"

export const handshakeDescriptor = 3

export const Handshake = Schema.Union(
  Schema.Struct({ ok: Schema.Literal(true) }),
  Schema.Struct({ ok: Schema.Literal(false), reason: LaunchError.fields.reason, message: Schema.String })
)
export type Handshake = typeof Handshake.Type

export const HandshakeLine = Schema.parseJson(Handshake)
