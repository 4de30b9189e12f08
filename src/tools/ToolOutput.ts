/** Keeps what a tool says within what a model should read: `runtime.tool_output` (workflow language §1.4, §7.4). */
import { Effect, Option } from "effect"
import type { Runtime } from "../language/document/Runtime.ts"
import { ToolSpill } from "./ToolSpill.ts"

const DEFAULTS = { enabled: true, max_chars: 50_000, spill_to_file: true }

interface Cut {
  readonly originalChars: number
  readonly keptChars: number
  readonly spillPath: string | null
}

export interface KeptOutput {
  /** At most so long, with a note behind it. */
  readonly text: string
  /** Absent when all of it is there. */
  readonly cut?: Cut
}

const note = ({ keptChars, originalChars, spillPath }: Cut): string => {
  const where = spillPath === null ? "" : `; all of it is in ${spillPath}`
  return `\n[tool output truncated: ${keptChars} of ${originalChars} characters kept${where}]`
}

/** `spillDirectory`: absolute, when the workflow names one. */
export const keepOutput = Effect.fn("ToolOutput.keep")(function* (
  tool: string,
  text: string,
  settings: Runtime["tool_output"],
  spillDirectory: string | undefined
): Effect.fn.Return<KeptOutput> {
  const { enabled, max_chars: limit, spill_to_file: spills } = settings ?? DEFAULTS
  if (!enabled || text.length <= limit) return { text }
  const spill = yield* ToolSpill
  const spillPath = spills ? Option.getOrNull(yield* spill.keep(tool, text, spillDirectory)) : null
  const cut: Cut = { originalChars: text.length, keptChars: limit, spillPath }
  return { text: `${text.slice(0, limit).toWellFormed()}${note(cut)}`, cut }
})
