/** The inboxes as files, `control.jsonl` in each run folder. */
import { Chunk, Effect, Layer, Option, Ref, Schema, Stream } from "effect"
import { appendFile } from "node:fs/promises"
import { Home } from "../platform/Home.ts"
import { fileChanges } from "./FileChanges.ts"
import { readSlices } from "./LineReader.ts"
import { runFiles } from "./RunFiles.ts"
import { ControlMessage, type InboxPast, RunInbox } from "./RunInbox.ts"
import { storeFaultOf } from "./StoreFault.ts"

const MessageText = Schema.parseJson(ControlMessage)
const decodeMessage = Schema.decodeOption(MessageText)

const decodeLines = (lines: ReadonlyArray<string>): ReadonlyArray<ControlMessage> =>
  lines.flatMap((line) => Option.toArray(decodeMessage(line)))

const NOTHING_YET: InboxPast = { messages: [], end: 0 }

const make = Effect.map(Home, ({ runs }) =>
  RunInbox.of({
    post: Effect.fn("RunInbox.post")(function* (runId, message) {
      const path = runFiles(runs, runId).control
      const text = yield* Effect.orDie(Schema.encode(MessageText)(message))
      // The line end in front closes what another sender may have left torn; a blank line is no message.
      yield* Effect.tryPromise({
        try: () => appendFile(path, `\n${text}\n`, { mode: 0o600, flush: true }),
        catch: storeFaultOf("write", path)
      })
    }),
    past: Effect.fn("RunInbox.past")((runId) =>
      Stream.runFold(readSlices(runFiles(runs, runId).control, 0), NOTHING_YET, ({ messages }, { end, lines }) => ({
        messages: [...messages, ...decodeLines(lines)],
        end
      }))
    ),
    messages: (runId, beginning) => {
      const path = runFiles(runs, runId).control
      return Stream.unwrap(
        Effect.map(Ref.make(beginning), (position) =>
          fileChanges(path).pipe(
            Stream.flatMap(() => Stream.unwrap(Effect.map(Ref.get(position), (from) => readSlices(path, from)))),
            Stream.tap(({ end }) => Ref.set(position, end)),
            Stream.mapConcatChunk(({ lines }) => Chunk.fromIterable(decodeLines(lines)))
          )
        )
      )
    }
  })
)

export const layer: Layer.Layer<RunInbox, never, Home> = Layer.effect(RunInbox, make)
