/** "Did you mean …": the known name that a misspelt one was most likely meant to be. */
import { Option } from "effect"

/** Edits between two names: insertions, deletions, replacements, and swaps of neighbours. */
const distance = (left: string, right: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      const cheapest = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1)
      )
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(swapped ? Math.min(cheapest, (beforeLast[column - 2] ?? 0) + 1) : cheapest)
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}

/** Longer input is no misspelling, and comparing it would cost time that a hostile file could ask for. */
const MAX_LENGTH = 100

/** The closest of `known`, when it is close: about one edit for every three characters. */
export const nearestName = (name: string, known: Iterable<string>): Option.Option<string> => {
  if (name.length > MAX_LENGTH) return Option.none()
  const wanted = name.toLowerCase()
  const close = [...known]
    .filter((candidate) => candidate !== name && Math.abs(candidate.length - name.length) <= 3)
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(Math.min(candidate.length, name.length) / 3)))
  return Option.fromNullable(close.sort((a, b) => a.edits - b.edits)[0]?.candidate)
}

export const nearestSuggestion = (name: string, known: Iterable<string>): string | undefined =>
  Option.getOrUndefined(Option.map(nearestName(name, known), (near) => `did you mean "${near}"?`))
