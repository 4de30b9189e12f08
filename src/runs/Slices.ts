/** How a list that grows is read from a place on: slice by slice, until one says that it was the last for now. */
import { Effect, Option, Stream } from "effect"

export interface Slice {
  /** Where the next slice begins. Only the list knows what the number means. */
  readonly end: number
  /** False when there is more to read at once. */
  readonly exhausted: boolean
}

type Read<S extends Slice, E, R> = (from: number) => Effect.Effect<S, E, R>

/** Every slice from `from` to the present end, oldest first; at least one, which may be empty. */
export const streamSlices = <S extends Slice, E, R>(read: Read<S, E, R>, from: number): Stream.Stream<S, E, R> =>
  Stream.paginateEffect(from, (position) =>
    Effect.map(read(position), (slice) => [slice, slice.exhausted ? Option.none() : Option.some(slice.end)])
  )

/**
 * The same, folded. A loop and no stream, since every start of a run reads some lists to their end and the machinery of
 * streams is dear to load.
 */
export const foldSlices = <A, S extends Slice, E, R>(
  read: Read<S, E, R>,
  from: number,
  initial: A,
  step: (state: A, slice: S) => A
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    let state = initial
    let slice: Slice = { end: from, exhausted: false }
    while (!slice.exhausted) {
      const next = yield* read(slice.end)
      state = step(state, next)
      slice = next
    }
    return state
  })
