/**
 * Gives every claimant a name of its own from a ladder of names that depend on the claimant alone, most wanted first.
 * A name that two want goes to neither: both step down, so nobody's name depends on the order of the claimants.
 */

export interface Claim {
  /** Distinct for every claimant. */
  readonly id: string
  /** The last rung must be unique to the claimant, such as a long digest: from there it cannot step down. */
  readonly ladder: readonly [string, ...ReadonlyArray<string>]
}

export interface Assignment {
  /** Claimant → its name. */
  readonly names: ReadonlyMap<string, string>
  /** Name → the claimants that wanted it and did not get it; reserved names that were wanted included. */
  readonly contested: ReadonlyMap<string, ReadonlyArray<string>>
}

const claimantsOf = (names: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const claimants = new Map<string, Array<string>>()
  for (const [id, name] of names) {
    const others = claimants.get(name)
    if (others === undefined) claimants.set(name, [id])
    else others.push(id)
  }
  return claimants
}

/** Rounds end, since each but the last moves a claimant down; a name that was contested once is never given again. */
export const assignNames = (claims: ReadonlyArray<Claim>, reserved: Iterable<string>): Assignment => {
  const taken = new Set(reserved)
  const contested = new Map<string, ReadonlySet<string>>()
  const rungs = new Map(claims.map(({ id }) => [id, 0]))
  const ladders = new Map(claims.map(({ id, ladder }) => [id, ladder]))
  const nameAt = (id: string): string => {
    const ladder = ladders.get(id) ?? [""]
    return ladder[Math.min(rungs.get(id) ?? 0, ladder.length - 1)] ?? ladder[0]
  }
  for (;;) {
    const names = new Map([...ladders.keys()].map((id) => [id, nameAt(id)]))
    const groups = claimantsOf(names)
    const movers = [...groups].filter(([name, ids]) => {
      const canMove = ids.some((id) => (rungs.get(id) ?? 0) < (ladders.get(id)?.length ?? 1) - 1)
      return canMove && (ids.length > 1 || taken.has(name))
    })
    if (movers.length === 0) {
      return { names, contested: new Map([...contested].map(([name, ids]) => [name, [...ids].sort()])) }
    }
    for (const [name, ids] of movers) {
      taken.add(name)
      contested.set(name, new Set([...(contested.get(name) ?? []), ...ids]))
      for (const id of ids) rungs.set(id, (rungs.get(id) ?? 0) + 1)
    }
  }
}
