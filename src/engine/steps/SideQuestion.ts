/**
 * A question that a model is asked about a step, beside the step's own: whether its output passes, whether a dialog is
 * wanted. It fails open: without a usable reply there is no value, and the step goes on.
 */
import { Effect, Option } from "effect"
import type { AgentProviderShape, AgentRequest, AgentResponse, AgentUsage } from "../../agents/AgentProvider.ts"
import { NO_USAGE } from "../../agents/TokenUsage.ts"
import type { Value } from "../../domain/Value.ts"
import type { OutputField } from "../../language/document/OutputField.ts"
import { jsonIn } from "../AgentOutput.ts"

/** A field of the reply that has to be there. */
export const replyField = (type: OutputField["type"]): OutputField => ({ type, required: true, nullable: false })

/** With a model and in a working directory when there are any. */
export const sideRequest = (
  asked: Omit<AgentRequest, "turns">,
  { model, workingDirectory }: { readonly model: string | undefined; readonly workingDirectory: string | undefined }
): AgentRequest => ({
  turns: [],
  ...asked,
  ...(model === undefined ? {} : { model }),
  ...(workingDirectory === undefined ? {} : { workingDirectory })
})

export interface SideReply {
  readonly value: Option.Option<Value>
  /** The one that answered, or that was asked. */
  readonly model: string | null
  readonly usage: AgentUsage
}

type Asking<E> = Effect.Effect<Option.Option<AgentResponse>, E>

/** `limited` puts a time limit around the call; out of time is no reply. */
export const askAside = (
  { execute }: AgentProviderShape,
  request: AgentRequest,
  limited: <E>(call: Effect.Effect<AgentResponse, E>) => Asking<E> = Effect.asSome
): Effect.Effect<SideReply> =>
  limited(execute(request)).pipe(
    Effect.orElseSucceed(() => Option.none<AgentResponse>()),
    Effect.map((response) => ({
      value: Option.flatMap(response, ({ content }) => jsonIn(content)),
      model: Option.match(response, { onNone: () => undefined, onSome: ({ model }) => model }) ?? request.model ?? null,
      usage: Option.match(response, { onNone: () => NO_USAGE, onSome: ({ usage }) => usage })
    }))
  )
