/** The inboxes in memory, for runs inside this process. */
import { Effect, Layer, Stream, SubscriptionRef } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { RunInbox, type ControlMessage } from "./RunInbox.ts"

interface Letter {
  readonly runId: RunId
  readonly message: ControlMessage
}

const make = Effect.map(SubscriptionRef.make<ReadonlyArray<Letter>>([]), (letters) =>
  RunInbox.of({
    post: (runId, message) => SubscriptionRef.update(letters, (all) => [...all, { runId, message }]),
    end: () => Effect.map(SubscriptionRef.get(letters), (all) => all.length),
    messages: (runId, from) =>
      letters.changes.pipe(
        Stream.mapAccum(from, (seen, all) => [all.length, all.slice(seen)] as const),
        Stream.mapConcat((fresh) => fresh.flatMap((letter) => (letter.runId === runId ? [letter.message] : [])))
      )
  })
)

export const layer: Layer.Layer<RunInbox> = Layer.effect(RunInbox, make)
