/** Compares the events of a run with those that a case of the corpus lists, in the corpus's own terms. */
import { isDeepStrictEqual } from "node:util"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { get, isList, isMap, toJson, type Value, type ValueMap } from "../../../src/domain/Value.ts"

/** What the case says of the order, see the corpus's README. */
export interface EventsOrder {
  readonly eventsOrder?: "groups-unordered" | undefined
  readonly siblings?: "any" | undefined
  readonly oddity?: boolean | undefined
}

/** One event; `details` are all that is known of it, or what the case wants of them. */
interface Told {
  readonly type: string
  readonly subject: Value
  readonly path: ReadonlyArray<string>
  readonly details: ValueMap
}

/** Events of the reference that have no place here, and ours that the corpus leaves out. */
const IGNORED = new Set([
  "checkpoint_saved",
  "agent_prompt_rendered",
  "agent_message",
  "run_warning",
  "for_each_skipped",
  "context_trimmed",
  "agent_output_discarded"
])

/** The reference says `agent_failed` only of a `terminate` step that came to its output; here every failure says so. */
const isToldByAll = ({ details, type }: Told): boolean =>
  type !== "agent_failed" || (get(details, "agent_type") === "terminate" && get(details, "output") !== undefined)

const isOurs = (told: Told): boolean => IGNORED.has(told.type) || !isToldByAll(told)

const show = (value: Value): string => JSON.stringify(toJson(value))
const text = (value: Value | undefined): string => String(value ?? "")
const texts = (value: Value | undefined): ReadonlyArray<string> =>
  value !== undefined && isList(value) ? value.map(String) : []

const subjectOf = (type: string, data: ValueMap): Value => {
  const group = get(data, "group_name")
  if (type === "route_taken") return `${text(get(data, "from_agent"))}->${text(get(data, "to_agent"))}`
  if (type.startsWith("subworkflow_")) return get(data, "slot_key") ?? null
  if (type.startsWith("parallel_agent_")) return `${text(group)}/${text(get(data, "agent_name"))}`
  if (/^for_each_(?:item|agent)_/.test(type)) return `${text(group)}[${text(get(data, "item_key"))}]`
  const key = get(data, "item_key")
  if (type.startsWith("agent_valid") && key !== undefined) return `${text(group)}[${text(key)}]`
  if (type.startsWith("parallel_") || type.startsWith("for_each_")) return group ?? null
  return get(data, "agent_name") ?? get(data, "current_agent") ?? null
}

/** What the corpus calls by a shorter name than the log. */
const CORPUS_NAMES = [
  ["type", "agent_type"],
  ["selected", "selected_option"],
  ["answered", "answered_count"],
  ["skipped", "skipped_count"]
] as const

const toldBy = (event: RunEvent): Told => {
  const data = event.data as unknown as ValueMap
  const named = CORPUS_NAMES.map(([name, field]) => [name, get(data, field) ?? null] as const)
  const details = { ...data, ...Object.fromEntries(named) }
  return { type: event.type, subject: subjectOf(event.type, data), path: event.data.subworkflow_path ?? [], details }
}

const wantedBy = (entry: Value): Told => {
  const [type = "", subject = null, given = {}] = isList(entry) ? entry : []
  const { path = [], ...details } = isMap(given) ? given : {}
  return { type: text(type), subject, path: texts(path), details }
}

const isSame = (left: Value, right: Value): boolean => isDeepStrictEqual(toJson(left), toJson(right))

const headOf = ({ path, subject, type }: Told): Value => [type, subject, path]

const STARTS = new Set(["parallel_started", "for_each_started"])
const ENDS = new Set(["parallel_completed", "for_each_completed", "workflow_failed", "workflow_cancelled"])

/** Events of one member keep their order; those of a `set` member carry its bare name, which items share. */
const laneOf = ({ path, subject, type }: Told, depth: number): string => {
  const slot = path[depth]
  if (slot !== undefined) return slot
  const name = text(subject)
  return /[/[]/.test(name) ? name : `${name} ${type}`
}

const byLane = (depth: number) => (left: Told, right: Told) => {
  const [a, b] = [laneOf(left, depth), laneOf(right, depth)]
  return a < b ? -1 : a > b ? 1 : 0
}

const isFailure = ({ type }: Told): boolean => type === "parallel_agent_failed" || type === "for_each_item_failed"

const counts: ReadonlySet<string> = new Set(["success_count", "failure_count"])

/**
 * The corpus lists it as an oddity of the reference that a group which failed under `fail_fast` reports zeros. The case of that
 * oddity has them compared; in others nothing that the members did once the group has failed is fixed, and neither are their
 * counts.
 */
const withoutCounts = (told: Told, next: Told | undefined, { oddity = false, siblings }: EventsOrder): Told =>
  !oddity && siblings === "any" && told.type === "parallel_completed" && next?.type === "workflow_failed"
    ? { ...told, details: Object.fromEntries(Object.entries(told.details).filter(([key]) => !counts.has(key))) }
    : told

/** In an order that does not depend on how the members of groups took turns. */
const canonical = (events: ReadonlyArray<Told>, order: EventsOrder): ReadonlyArray<Told> => {
  const start = order.eventsOrder === undefined ? -1 : events.findIndex(({ type }) => STARTS.has(type))
  const first = events[start]
  if (first === undefined) return events
  const rest = events.slice(start + 1)
  const length = rest.findIndex(({ path, type }) => ENDS.has(type) && path.length === first.path.length)
  const inside = rest.slice(0, length)
  const kept = order.siblings === "any" ? inside.filter(isFailure).slice(0, 1) : inside
  return [
    ...events.slice(0, start + 1),
    ...kept.toSorted(byLane(first.path.length)),
    ...canonical(rest.slice(length), order)
  ]
}

const compareEvent = (wanted: Told, told: Told | undefined, index: number): ReadonlyArray<string> => {
  if (told === undefined) return [`event ${index}: expected ${show(headOf(wanted))}, got none`]
  if (!isSame(headOf(wanted), headOf(told))) {
    return [`event ${index}: expected ${show(headOf(wanted))}, got ${show(headOf(told))}`]
  }
  return Object.entries(wanted.details).flatMap(([key, value]) => {
    const actual = get(told.details, key) ?? null
    return isSame(value, actual)
      ? []
      : [`event ${index} ${wanted.type}.${key}: expected ${show(value)}, got ${show(actual)}`]
  })
}

/** What differs, the first few; empty when nothing does. */
export const compareEvents = (
  expected: Value | undefined,
  events: ReadonlyArray<RunEvent>,
  order: EventsOrder
): ReadonlyArray<string> => {
  const told = canonical(
    events.map(toldBy).filter((told) => !isOurs(told)),
    order
  )
  const entries = expected !== undefined && isList(expected) ? expected : []
  const wanted = canonical(
    entries
      .map(wantedBy)
      .filter(({ type }) => !IGNORED.has(type))
      .map((told, index, all) => withoutCounts(told, all[index + 1], order)),
    order
  )
  const surplus = told.length > wanted.length ? [`${told.length - wanted.length} events too many`] : []
  return [...wanted.flatMap((entry, index) => compareEvent(entry, told[index], index)), ...surplus].slice(0, 3)
}
