/** A local HTTP server that speaks the chat completions format of the OpenAI API, and every way of failing at it. */
import { Deferred, Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { Json } from "../../src/domain/Value.ts"
import { listenLocally } from "./LocalServer.ts"

interface WireRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [key: string]: Json }
}

export type WireReply = (response: ServerResponse) => void

export interface WireServer {
  /** Base URL, as in `OPENAI_BASE_URL`. */
  readonly url: string
  /** Oldest first. */
  readonly requests: ReadonlyArray<WireRequest>
  /** The first request is here. */
  readonly asked: Deferred.Deferred<void>
  /** A client has gone away before its reply was complete. */
  readonly abandoned: Deferred.Deferred<void>
}

export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cached_tokens?: number
}

export const raw =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireReply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
  }

const completionBody = (choices: ReadonlyArray<Json>, usage?: WireUsage): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "wire-model-2026",
    choices,
    ...(usage === undefined
      ? {}
      : {
          usage: {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            total_tokens: usage.prompt_tokens + usage.completion_tokens,
            prompt_tokens_details: { cached_tokens: usage.cached_tokens ?? 0 }
          }
        })
  })

export const completion = (text: string | null, options: { usage?: WireUsage; finish?: string } = {}): WireReply =>
  raw(
    200,
    completionBody(
      [{ index: 0, message: { role: "assistant", content: text }, finish_reason: options.finish ?? "stop" }],
      options.usage
    )
  )

export interface WireCall {
  readonly name: string
  /** As the model writes it: JSON, or what it takes for that. */
  readonly arguments: string
}

/** A reply that asks for tools. The calls are `call-1` and so on. */
export const toolCalls = (
  calls: ReadonlyArray<WireCall>,
  options: { text?: string; usage?: WireUsage } = {}
): WireReply =>
  raw(
    200,
    completionBody(
      [
        {
          index: 0,
          message: {
            role: "assistant",
            content: options.text ?? null,
            tool_calls: calls.map((call, index) => ({
              id: `call-${index + 1}`,
              type: "function",
              function: { name: call.name, arguments: call.arguments }
            }))
          },
          finish_reason: "tool_calls"
        }
      ],
      options.usage
    )
  )

export const withoutChoices: WireReply = raw(200, completionBody([]))

export const failure = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): WireReply =>
  raw(status, JSON.stringify({ error: { message, type: "error", code: null, param: null } }), headers)

export const disconnectInBody: WireReply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write('{"id":"chatcmpl-1","cho', () => response.socket?.destroy())
}

export const disconnectAtOnce: WireReply = (response) => {
  response.socket?.destroy()
}

export const silence: WireReply = () => {}

/** Text without an end: it goes on until the client has had enough. */
export const endless: WireReply = (response) => {
  const block = "x".repeat(1024 * 1024)
  response.writeHead(200, { "content-type": "application/json" })
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on("drain", more)
  more()
}

/** Answers the requests in order; the last reply repeats. */
export const openAiWireServer = (replies: ReadonlyArray<WireReply>): Effect.Effect<WireServer, never, Scope.Scope> =>
  answeringWireServer((_, count) => replies[Math.min(count, replies.length) - 1])

/** Answers each request by what it says; `count` tells which it is, from 1. */
export const answeringWireServer = (
  answer: (request: WireRequest, count: number) => WireReply | undefined
): Effect.Effect<WireServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked = yield* Deferred.make<void>()
    const abandoned = yield* Deferred.make<void>()
    const requests: Array<WireRequest> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("close", () => {
        if (!response.writableFinished) Deferred.unsafeDone(abandoned, Effect.void)
      })
      request.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString("utf8"))
        const received: WireRequest = { path: request.url ?? "", headers: request.headers, body }
        requests.push(received)
        Deferred.unsafeDone(asked, Effect.void)
        answer(received, requests.length)?.(response)
      })
    })
    const origin = yield* listenLocally(server)
    return { url: `${origin}/v1`, requests, asked, abandoned }
  })
