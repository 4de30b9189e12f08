/** The inboxes in memory, for runs inside this process. */
import { Effect, Layer, Stream, SubscriptionRef } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { RunInbox, type ControlMessage } from "./RunInbox.ts"

interface Letter {
  readonly runId: RunId
  readonly message: ControlMessage
}

const messagesTo = (runId: RunId, letters: ReadonlyArray<Letter>): ReadonlyArray<ControlMessage> =>
  letters.flatMap((letter) => (letter.runId === runId ? [letter.message] : []))

const make = Effect.map(SubscriptionRef.make<ReadonlyArray<Letter>>([]), (letters) =>
  RunInbox.of({
    post: (runId, message) => SubscriptionRef.update(letters, (all) => [...all, { runId, message }]),
    past: (runId, from) =>
      Effect.map(SubscriptionRef.get(letters), (all) => ({
        messages: messagesTo(runId, all.slice(from)),
        end: all.length
      })),
    messages: (runId, from) =>
      letters.changes.pipe(
        Stream.mapAccum(from, (seen, all) => [all.length, all.slice(seen)] as const),
        Stream.mapConcat((fresh) => messagesTo(runId, fresh))
      )
  })
)

export const layer: Layer.Layer<RunInbox> = Layer.effect(RunInbox, make)
