import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { makeInterrupts } from "../../../src/cli/Interrupts.ts"

it.effect("Ctrl-C ends the command, but for as long as the command takes it", () =>
  Effect.gen(function* () {
    let ends = 0
    const { press, service } = makeInterrupts(() => void (ends += 1))
    press()
    expect(ends).toBe(1)
    const taken = yield* Effect.fork(Stream.runCollect(Stream.take(service.taken, 2)))
    yield* Effect.yieldNow()
    yield* Effect.yieldNow()
    press()
    press()
    expect([...(yield* Fiber.join(taken))]).toHaveLength(2)
    expect(ends).toBe(1)
    press()
    expect(ends).toBe(2)
  })
)
