/** Who may say something to a run while it goes on. Nobody, unless a host provides somebody. */
import { Context, Effect } from "effect"

interface GuidanceText {
  readonly text: string
  readonly source: "interrupt" | "dashboard" | "cli"
}

export class Guidance extends Context.Reference<Guidance>()("conductor/Guidance", {
  defaultValue: () => ({
    /** What has been said since the last time, oldest first. It is asked before every step of the root. */
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
