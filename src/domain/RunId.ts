/** The name of a run. It becomes a folder name, so its alphabet has no separator, dot or wildcard. */
import { Schema } from "effect"
import { randomBytes } from "node:crypto"

export const RunId = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/), Schema.brand("RunId"))
export type RunId = typeof RunId.Type

export const isRunId = Schema.is(RunId)

/** Ten hexadecimal digits: short enough to type, and a clash is caught when the run folder is created exclusively. */
export const mintRunId = (): RunId => RunId.make(randomBytes(5).toString("hex"))
