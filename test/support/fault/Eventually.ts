/** Waits for a condition instead of sleeping for as long as it may take: quick when all is well, and bounded when not. */
import { setTimeout } from "node:timers/promises"

/** Milliseconds between two looks. */
const interval = 20

/** The first answer that is neither `undefined` nor `false`. Rejects with `what` when there is none within the seconds. */
export const eventually = async <A>(
  what: string,
  seconds: number,
  look: () => A | undefined | false | Promise<A | undefined | false>
): Promise<A> => {
  const deadline = Date.now() + seconds * 1_000
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await setTimeout(interval)
  }
}

/** A moment that no test author chose. */
export const randomMoment = (longestMilliseconds: number): Promise<void> =>
  setTimeout(Math.random() * longestMilliseconds)
