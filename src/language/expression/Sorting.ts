/** Stable sorting by an order that may be incomplete, as that of NaN is: only "comes before" is asked. */
export type Direction = "ascending" | "descending"

export const sorted = <A>(
  items: ReadonlyArray<A>,
  order: (left: A, right: A) => number,
  direction: Direction = "ascending"
): Array<A> => {
  // Equal items keep their order in both directions, so reversing the result would be wrong.
  const before = direction === "descending" ? (left: A, right: A) => order(right, left) : order
  return [...items].sort((left, right) => (before(left, right) < 0 ? -1 : before(right, left) < 0 ? 1 : 0))
}
