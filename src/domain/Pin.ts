/** What exactly is served or run: the digest of the workflow file's bytes, written `sha256:<64 hex digits>`. */
import { Schema } from "effect"
import { createHash } from "node:crypto"

export const Pin = Schema.String.pipe(Schema.pattern(/^sha256:[0-9a-f]{64}$/), Schema.brand("Pin"))
export type Pin = typeof Pin.Type

export const pinOf = (content: string | Uint8Array): Pin =>
  Pin.make(`sha256:${createHash("sha256").update(content).digest("hex")}`)
