/** One event on one line, for people. */
import { DateTime, Option } from "effect"
import { eventData, type RunEvent } from "../../domain/RunEvent.ts"
import { isList, isMap, stringifyJson, type Value } from "../../domain/Value.ts"
import { shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"

/** Characters of one value, and values of one event: the rest is in the JSON form. */
const longestValue = 100
const mostValues = 6
const longestLook = 10 * longestValue

const brief = (value: Value): string => {
  if (typeof value === "number") return String(Number(value.toFixed(3)))
  const whole = typeof value === "string" ? value : stringifyJson(value)
  // A value may have megabytes, of which one line shows nothing: blanks aside, its beginning is enough.
  const text = shownInline(whole.slice(0, longestLook).toWellFormed())
  return text.length > longestValue ? `${text.slice(0, longestValue - 1).toWellFormed()}…` : text
}

const saysSomething = (value: Value): boolean =>
  value !== null &&
  value !== "" &&
  !(isList(value) && value.length === 0) &&
  !(isMap(value) && Object.keys(value).length === 0)

/** UTC, to the millisecond. `seconds` is unix time. */
const clockTime = (seconds: number): string =>
  Option.match(DateTime.make(seconds * 1000), {
    onNone: () => "--:--:--.---",
    onSome: (at) => DateTime.formatIso(at).slice(11, 23)
  })

export const eventLine = (event: RunEvent, { bold, dim }: Style): string => {
  const details = Object.entries(eventData(event))
    .filter(([, value]) => saysSomething(value))
    .slice(0, mostValues)
    .map(([key, value]) => `${dim(`${key}=`)}${brief(value)}`)
  return [dim(clockTime(event.timestamp)), String(event.seq).padStart(4), bold(event.type), ...details].join(" ")
}
