/**
 * The inboxes as files, `control.jsonl` in each run folder. Secrets of whoever sends a message are not in the file; the
 * process of the run restores what it knows itself.
 */
import { Chunk, Effect, Either, Layer, Option, Ref, Schema, Stream } from "effect"
import { appendFile } from "node:fs/promises"
import type { SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import type { Value } from "../domain/Value.ts"
import { Home } from "../platform/Home.ts"
import { fileChanges } from "./FileChanges.ts"
import { readLines } from "./LineReader.ts"
import { runFiles } from "./RunFiles.ts"
import { ControlMessage, type InboxPast, RunInbox } from "./RunInbox.ts"
import { presentSecrets } from "./RunSecrets.ts"
import { foldSlices, streamSlices } from "./Slices.ts"
import { storeFaultOf } from "./StoreFault.ts"

const MessageText = Schema.parseJson(ControlMessage)
const decodeMessage = Schema.decodeOption(MessageText)

/** Only texts inside change, so a message stays one. */
const hidden = ({ hide }: SecretPlaceholders, message: ControlMessage) =>
  hide(message as unknown as Value) as unknown as ControlMessage

const restored = ({ restore }: SecretPlaceholders, message: ControlMessage): ControlMessage =>
  Either.match(restore(message as unknown as Value), {
    onLeft: () => message,
    onRight: (value) => value as unknown as ControlMessage
  })

const make = Effect.gen(function* () {
  const { runs } = yield* Home
  const secrets = yield* presentSecrets
  const decodeLines = (lines: ReadonlyArray<string>): ReadonlyArray<ControlMessage> =>
    lines.flatMap((line) => Option.toArray(decodeMessage(line))).map((message) => restored(secrets, message))

  return RunInbox.of({
    post: Effect.fn("RunInbox.post")(function* (runId, message) {
      const path = runFiles(runs, runId).control
      const text = yield* Effect.orDie(Schema.encode(MessageText)(hidden(yield* presentSecrets, message)))
      // The line end in front closes what another sender may have left torn; a blank line is no message.
      yield* Effect.tryPromise({
        try: () => appendFile(path, `\n${text}\n`, { mode: 0o600, flush: true }),
        catch: storeFaultOf("write", path)
      })
    }),
    past: Effect.fn("RunInbox.past")((runId, from) =>
      foldSlices(
        (position) => readLines(runFiles(runs, runId).control, position),
        from,
        { messages: [], end: from },
        ({ messages }: InboxPast, { end, lines }): InboxPast => ({
          messages: [...messages, ...decodeLines(lines)],
          end
        })
      )
    ),
    messages: (runId, beginning) => {
      const path = runFiles(runs, runId).control
      return Stream.unwrap(
        Effect.map(Ref.make(beginning), (position) =>
          fileChanges(path).pipe(
            Stream.flatMap(() =>
              Stream.unwrap(
                Effect.map(Ref.get(position), (from) => streamSlices((position) => readLines(path, position), from))
              )
            ),
            Stream.tap(({ end }) => Ref.set(position, end)),
            Stream.mapConcatChunk(({ lines }) => Chunk.fromIterable(decodeLines(lines)))
          )
        )
      )
    }
  })
})

export const layer: Layer.Layer<RunInbox, never, Home> = Layer.effect(RunInbox, make)
