/** Durations of `wait` steps (workflow language §3.6): `<number>[ms|s|m|h]`, a bare number counts seconds. */
import { Either, Schema } from "effect"
import { nearest } from "../domain/NearMatch.ts"
import { parseFloatText } from "./expression/NumberText.ts"

export class DurationError extends Schema.TaggedError<DurationError>()("DurationError", {
  text: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `Invalid duration '${this.text}': ${this.reason}`
  }
}

/** Seconds per unit. */
const units: ReadonlyMap<string, number> = new Map([
  ["ms", 0.001],
  ["s", 1],
  ["m", 60],
  ["h", 3600]
])

/** Longest wait, in seconds. */
const longestDuration = 86_400

const form = /^\s*(\p{Nd}+(?:\.\p{Nd}+)?)\s*(ms|s|m|h)?\s*$/u

const remedy = (text: string): string => {
  const unit = /[^\p{Nd}\s.]+\s*$/u.exec(text)?.[0].trim() ?? ""
  const meant = units.has(unit.toLowerCase()) ? unit.toLowerCase() : nearest(unit, units.keys())
  const hint = meant === undefined ? "" : ` (did you mean '${meant}'?)`
  return `write a number with an optional unit ms, s, m or h, such as '500ms' or '1.5m'${hint}`
}

/** In seconds, before any check of the range; numbers are seconds already. */
export const parseDuration = (input: string | number): Either.Either<number, DurationError> => {
  if (typeof input === "number") {
    return Number.isFinite(input)
      ? Either.right(input)
      : Either.left(new DurationError({ text: String(input), reason: "not a finite number" }))
  }
  const match = form.exec(input)
  const amount = match?.[1] === undefined ? undefined : parseFloatText(match[1])
  if (amount === undefined) return Either.left(new DurationError({ text: input, reason: remedy(input) }))
  return Either.right(Number(amount) * (units.get(match?.[2] ?? "s") ?? 1))
}

/** A wait lasts more than nothing and at most a day. */
export const checkDurationRange = (seconds: number): Either.Either<number, DurationError> =>
  seconds > 0 && seconds <= longestDuration
    ? Either.right(seconds)
    : Either.left(
        new DurationError({
          text: `${seconds}s`,
          reason: `must be more than 0 and at most ${longestDuration} seconds (24h)`
        })
      )
