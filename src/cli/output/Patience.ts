/** Nobody should have to wonder whether a command hangs: what takes longer than a moment says what it is about. */
import { Effect, Fiber, Option } from "effect"
import { Output } from "./Output.ts"

const MOMENT = "1 second"

/** A start reads files, and may fetch repositories that the workflow names. */
export const STARTING = "starting the run …"

/** Only on a terminal, where the words go away again. */
export const patiently =
  (words: string, { quiet }: { readonly quiet: boolean }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Output> =>
    Effect.gen(function* () {
      const { errorStyle, region, screen } = yield* Output
      if (quiet || Option.isNone(yield* screen)) return yield* work
      const saying = yield* Effect.fork(Effect.delay(region([errorStyle.dim(words)]), MOMENT))
      return yield* Effect.ensuring(work, Effect.zipRight(Fiber.interrupt(saying), region([])))
    })
