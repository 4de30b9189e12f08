/** Makes the answers of one server about runs: what `RunAnswer` needs to know of the server is filled in here. */
import { Context, Effect, Layer } from "effect"
import { Boundary } from "../boundary/Boundary.ts"
import type { RunView } from "../runs/RunView.ts"
import { makeOutputCleaner } from "./CleanOutput.ts"
import { type AnswerOptions, runAnswer } from "./RunAnswer.ts"
import { ServeContext } from "./ServeContext.ts"
import type { ToolResult } from "./ToolSurface.ts"

export class RunAnswers extends Context.Tag("conductor/RunAnswers")<
  RunAnswers,
  { readonly of: (view: RunView, options?: AnswerOptions) => ToolResult }
>() {
  static readonly layer = Layer.effect(
    RunAnswers,
    Effect.gen(function* () {
      const boundary = yield* Boundary
      const { options } = yield* ServeContext
      const server = { boundary, toolsets: options.toolsets, cleanOutput: makeOutputCleaner(boundary) }
      return { of: (view, options = {}) => runAnswer(view, server, options) }
    })
  )
}
