/** Who may say something to a run while it goes on. Nobody, unless a host provides somebody. */
import { Context, Effect } from "effect"
import type { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"

export interface GuidanceText {
  readonly text: string
  readonly source: "interrupt" | "dashboard" | "cli"
}

export class Guidance extends Context.Reference<Guidance>()("conductor/Guidance", {
  defaultValue: () => ({
    /** What has been said since the last time, oldest first. */
    take: Effect.succeed<ReadonlyArray<GuidanceText>>([])
  })
}) {}

const MAX_CHARACTERS = 10_000

/** Blank texts say nothing, and one that would bury the prompt is cut. */
export const usableGuidance = (texts: ReadonlyArray<GuidanceText>): ReadonlyArray<GuidanceText> =>
  texts.flatMap(({ source, text }) => {
    const said = text.trim().slice(0, MAX_CHARACTERS)
    return said === "" ? [] : [{ source, text: said }]
  })

/**
 * Asked before every step, at whatever depth, and before a model is asked in a group. What was said is told in the journal of
 * the whole run and holds for all of it from then on (workflow language §5.14). `node` is what comes next.
 */
export const hearGuidance = ({ root }: Journal, node: string): Effect.Effect<void, EventSinkError> =>
  Effect.gen(function* () {
    const { take } = yield* Guidance
    for (const { source, text } of usableGuidance(yield* take)) {
      yield* root.append("guidance_applied", { text, source, agent_name: node })
    }
  })

/** Everything that was heard so far. */
export const heardGuidance = ({ root }: Journal): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(root.state, ({ guidance }) => guidance)
