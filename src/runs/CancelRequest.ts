/** Waits for the wish to cancel a run, as its inbox tells it. */
import { Effect, Option, Stream } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { RunInbox, type InboxPosition } from "./RunInbox.ts"
import type { StopRequest } from "./RunSession.ts"

/** An inbox that cannot be read never asks: the run goes on, and still obeys signals. */
export const cancelRequested = Effect.fn("CancelRequest.await")(function* (
  runId: RunId,
  from: InboxPosition
): Effect.fn.Return<StopRequest, never, RunInbox> {
  const inbox = yield* RunInbox
  const first = yield* inbox.messages(runId, from).pipe(
    Stream.filterMap((message) => (message.type === "cancel" ? Option.some(message) : Option.none())),
    Stream.runHead,
    Effect.orElseSucceed(Option.none)
  )
  if (Option.isNone(first)) return yield* Effect.never
  return { _tag: "Cancel", message: `Cancelled by ${first.value.requested_by}.` }
})
