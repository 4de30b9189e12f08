/** What a server sends, as a value of ours. It knows one kind of number: `3.0` on the wire is an integer here. */
import { Data, Either } from "effect"
import { MAX_DEPTH, type Value } from "../domain/Value.ts"

export class TooDeep extends Data.TaggedError("TooDeep") {
  override get message(): string {
    return `what it sent is nested more than ${MAX_DEPTH} levels deep`
  }
}

const valueOf = (data: unknown, depth: number): Value => {
  if (depth > MAX_DEPTH) throw new TooDeep()
  if (data === null || typeof data === "string" || typeof data === "number" || typeof data === "boolean") return data
  if (Array.isArray(data)) return data.map((entry) => valueOf(entry, depth + 1))
  if (typeof data !== "object") return null
  return Object.fromEntries(Object.entries(data).map(([key, entry]) => [key, valueOf(entry, depth + 1)]))
}

/** `data` is what `JSON.parse` gives. */
export const wireValue = (data: unknown): Either.Either<Value, TooDeep> =>
  Either.try({
    try: () => valueOf(data, 0),
    catch: () => new TooDeep()
  })
