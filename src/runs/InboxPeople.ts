/**
 * The people of a run are whoever writes to its inbox. The inbox is read from its beginning for every question, so that
 * an answer counts whether it came before the question was heard or the process had to be started again. Guidance is heard
 * once.
 */
import { Effect, Layer, Option, Stream, SynchronizedRef } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { HumanGateError } from "../engine/EngineErrors.ts"
import { Guidance, type GuidanceText } from "../engine/Guidance.ts"
import { People } from "../engine/People.ts"
import { RunInbox, type ControlMessage, type InboxPosition } from "./RunInbox.ts"

interface GuidanceStart {
  /** Texts that were said to earlier processes of the run, which did not hear them. */
  readonly unheard: ReadonlyArray<string>
  /** Where new ones begin. */
  readonly from: InboxPosition
}

type Answer = Extract<ControlMessage, { readonly type: "gate_answer" }>

const answersTo = (promptId: string) => (message: ControlMessage) =>
  message.type === "gate_answer" && message.prompt_id === promptId ? Option.some(message) : Option.none<Answer>()

const peopleLayer = (runId: RunId) =>
  Layer.effect(
    People,
    Effect.map(RunInbox, (inbox) => ({
      ask: ({ gate, refused }) =>
        inbox.messages(runId, 0).pipe(
          Stream.filterMap(answersTo(gate.promptId)),
          Stream.drop(refused.length),
          Stream.runHead,
          Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: Effect.succeed })),
          Effect.map(({ additional_input = {}, selected }) => ({ selected, additionalInput: additional_input })),
          Effect.mapError(
            ({ message }) =>
              new HumanGateError({ message: `No answer to '${gate.step}' can come: the inbox is broken. ${message}` })
          )
        )
    }))
  )

interface Heard {
  readonly texts: ReadonlyArray<string>
  /** How far the inbox is heard. */
  readonly end: InboxPosition
}

const guidanceIn = (messages: ReadonlyArray<ControlMessage>): ReadonlyArray<string> =>
  messages.flatMap((message) => (message.type === "guidance" ? [message.text] : []))

/**
 * The inbox is looked at when somebody wants to know, so what was said before a step is heard before it. One that cannot be
 * read says nothing.
 */
const guidanceLayer = (runId: RunId, { from, unheard }: GuidanceStart) =>
  Layer.effect(
    Guidance,
    Effect.gen(function* () {
      const inbox = yield* RunInbox
      const heard = yield* SynchronizedRef.make<Heard>({ texts: unheard, end: from })
      const listen = ({ end, texts }: Heard) =>
        inbox.past(runId, end).pipe(
          Effect.map((past): Heard => ({ texts: [...texts, ...guidanceIn(past.messages)], end: past.end })),
          Effect.orElseSucceed((): Heard => ({ texts, end }))
        )
      return {
        take: SynchronizedRef.modifyEffect(heard, (before) =>
          Effect.map(listen(before), ({ end, texts }): readonly [ReadonlyArray<GuidanceText>, Heard] => [
            texts.map((text) => ({ text, source: "cli" })),
            { texts: [], end }
          ])
        )
      }
    })
  )

export const layer = (runId: RunId, start: GuidanceStart): Layer.Layer<never, never, RunInbox> =>
  Layer.merge(peopleLayer(runId), guidanceLayer(runId, start))
