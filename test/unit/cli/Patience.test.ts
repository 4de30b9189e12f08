import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { Output } from "../../../src/cli/output/Output.ts"
import { patiently } from "../../../src/cli/output/Patience.ts"

/** What stood on the bottom of a terminal, one after the other. */
const terminal = (drawn: Array<ReadonlyArray<string>>) =>
  Layer.effect(
    Output,
    Effect.map(Output, (output) => ({
      ...output,
      screen: Effect.succeed(Option.some({ columns: 80, rows: 24 })),
      region: (lines) => Effect.sync(() => void drawn.push(lines))
    }))
  ).pipe(Layer.provide(Output.layerRecorder([])))

const waiting = (seconds: number, quiet = false) =>
  Effect.gen(function* () {
    const drawn: Array<ReadonlyArray<string>> = []
    const work = Effect.delay(Effect.fail("over"), `${seconds} seconds`)
    const fiber = yield* Effect.fork(
      Effect.flip(patiently("at it", { quiet })(work)).pipe(Effect.provide(terminal(drawn)))
    )
    yield* TestClock.adjust(`${seconds} seconds`)
    expect(yield* Fiber.join(fiber)).toBe("over")
    return drawn
  })

describe("patience", () => {
  it.effect("says what takes long, and takes it back when that is over, whatever came of it", () =>
    Effect.gen(function* () {
      expect(yield* waiting(5)).toEqual([["at it"], []])
    })
  )

  it.effect("says nothing of what is quick, and nothing where silence is wanted", () =>
    Effect.gen(function* () {
      expect(yield* waiting(0.5)).toEqual([[]])
      expect(yield* waiting(5, true)).toEqual([])
    })
  )
})
