/** The model of `everything/everything.yaml`: it answers by what it is asked, so that it gives the same however often it is. */
import { Effect, type Scope } from "effect"
import { answeringWireServer, completion, failure, type WireReply } from "../OpenAiWireServer.ts"

const usage = { prompt_tokens: 10, completion_tokens: 5 }

const text = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content))

/** The line that the author wrote, behind the instructions of the workflow. */
const asked = /^(?:draft|left|word|item) .*$/m

const replyTo = (prompt: string, isFirst: (line: string) => boolean): WireReply => {
  const said = (answer: string): WireReply => completion(answer, { usage })
  if (prompt.includes("must be improved")) {
    const passed = prompt.includes("a better draft")
    return said(JSON.stringify({ passed, issues: passed ? [] : ["improve it"] }))
  }
  const line = asked.exec(prompt)?.[0] ?? ""
  // Every draft is refused the first time that it is asked for.
  if (line.startsWith("draft") && isFirst(line)) return failure(503, "busy")
  if (line.startsWith("draft")) return said(prompt.includes("## Validation feedback") ? "a better draft" : "a draft")
  return said(line.startsWith("left") ? JSON.stringify({ side: `answer to ${line}` }) : `answer to ${line}`)
}

/** Serves as long as the scope is open; the workflow finds it by the environment of this process. */
export const everythingModel: Effect.Effect<void, never, Scope.Scope> = Effect.gen(function* () {
  const seen = new Set<string>()
  const isFirst = (line: string): boolean => !seen.has(line) && seen.add(line).size > 0
  const server = yield* answeringWireServer(({ body }) => {
    const messages = body["messages"]
    const prompt = Array.isArray(messages) ? messages.map((message) => text(message.content)).join("\n") : ""
    return replyTo(prompt, isFirst)
  })
  const variables = { CONDUCTOR_TEST_MODEL_URL: server.url, CONDUCTOR_TEST_MODEL_KEY: "key-of-a-local-model-1" }
  yield* Effect.acquireRelease(
    Effect.sync(() => Object.assign(process.env, variables)),
    () => Effect.sync(() => Object.keys(variables).forEach((name) => delete process.env[name]))
  )
})
