/** One event as one line of text, and back. Number kinds survive, since outputs in the log are read back as values. */
import { Either, Option, Schema } from "effect"
import { RunEventEnvelope, type RunEvent } from "../domain/RunEvent.ts"
import { parseStoredJson, stringifyJson, type Value } from "../domain/Value.ts"

const isEnvelope = Schema.is(RunEventEnvelope)

export const encodeEventLine = (event: RunEvent): string => `${stringifyJson(event as unknown as Value)}\n`

/**
 * What looks like a number whose kind plain JSON would lose: an integral float, an exponent, a minus zero, or an integer
 * beyond the safe range. A match inside of a string only costs time.
 */
const kindMatters = /\d\.0+(?!\d)|\d[eE][+-]?\d|-0(?![.\d])|(?<![.\d])\d{16}/

/** The parser that keeps number kinds is a hundred times slower, and lines may hold megabytes. */
const parseLine = (line: string): unknown => (kindMatters.test(line) ? parseStoredJson(line) : JSON.parse(line))

/** `None` for anything that is not an event. The data of a known type is trusted: this program is the only writer. */
export const decodeEventLine = (line: string): Option.Option<RunEvent> =>
  Either.try(() => parseLine(line)).pipe(
    Either.getRight,
    Option.filter((value) => isEnvelope(value)),
    Option.map((value) => value as unknown as RunEvent)
  )
