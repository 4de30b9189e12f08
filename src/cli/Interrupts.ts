/**
 * Ctrl-C. It ends a command, unless the command takes it and asks first what is meant. A stream and not a handler, so that
 * whoever stops listening gives it back.
 */
import { Context, Effect, Layer, Stream } from "effect"

export class Interrupts extends Context.Tag("conductor/Interrupts")<
  Interrupts,
  {
    /** While this runs, each Ctrl-C is one element of it and does nothing else. */
    readonly taken: Stream.Stream<void>
    /** What Ctrl-C does to a command that does not take it: it is interrupted, and the next Ctrl-C does not wait for it. */
    readonly end: Effect.Effect<void>
  }
>() {
  /** For tests of commands in-process: nobody presses anything. */
  static readonly layerNone: Layer.Layer<Interrupts> = Layer.succeed(Interrupts, {
    taken: Stream.never,
    end: Effect.interrupt
  })
}

/** `press` is called for each Ctrl-C; `end` ends the command. */
export const makeInterrupts = (
  end: () => void
): { readonly service: Interrupts["Type"]; readonly press: () => void } => {
  const takers = new Set<() => void>()
  return {
    service: {
      taken: Stream.asyncPush((emit) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const taker = (): void => void emit.single(undefined)
            takers.add(taker)
            return taker
          }),
          (taker) => Effect.sync(() => takers.delete(taker))
        )
      ),
      end: Effect.sync(end)
    },
    press: () => {
      if (takers.size === 0) end()
      else for (const taker of takers) taker()
    }
  }
}
