/** Finds what somebody may have meant: the candidate with the smallest Damerau-Levenshtein distance. */
const longest = 64

const distance = (left: string, right: string): number => {
  const width = right.length + 1
  let beforePrevious: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: width }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column < width; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1)
      )
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[width - 1] ?? 0
}

/** At most a third of the name may differ; a difference in case only always counts as near. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  if (name.length === 0 || name.length > longest) return undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  let best: string | undefined
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > longest) continue
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const far = distance(name.toLowerCase(), candidate.toLowerCase())
    if (far < bestDistance && far < name.length) {
      bestDistance = far
      best = candidate
    }
  }
  return best
}
