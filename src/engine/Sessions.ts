/**
 * Conversations that LLM steps go on with under a `session_key` (workflow language §7.6), as a fold over the log. A provider
 * without transcripts of its own is told what was said; the key and the working directory identify a session. Pure.
 */
import type { Exchange } from "../agents/AgentProvider.ts"
import type { SessionTurn } from "../domain/events/EventParts.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import { get, isMap, stringifyJson, type Value } from "../domain/Value.ts"

/** Oldest exchange first, by the name of the session. */
export type Sessions = ReadonlyMap<string, ReadonlyArray<Exchange>>

export const sessionName = ({ key, working_dir }: Omit<SessionTurn, "prompt">): string =>
  JSON.stringify([key, working_dir])

/** What the model had written, as far as it was used: its text, or its values as JSON. */
const replyIn = (output: Value): string => {
  const result = isMap(output) && Object.keys(output).length === 1 ? get(output, "result") : undefined
  return typeof result === "string" ? result : stringifyJson(output)
}

/** The same sessions when the event says nothing in one. */
export const withExchange = (sessions: Sessions, event: RunEvent): Sessions => {
  switch (event.type) {
    case "agent_completed":
    case "parallel_agent_completed":
    case "for_each_item_completed": {
      const { output, session } = event.data
      if (session === undefined) return sessions
      const name = sessionName(session)
      const exchange = { prompt: session.prompt, reply: replyIn(output) }
      return new Map(sessions).set(name, [...(sessions.get(name) ?? []), exchange])
    }
    default:
      return sessions
  }
}
