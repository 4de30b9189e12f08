/** `conductor gate respond <run> <value>`: answers the gate that a run waits at. */
import { Effect, Either } from "effect"
import { RunGates } from "../../runs/RunGates.ts"
import { misused } from "../CliFailure.ts"
import { Output, printJson, shownInline } from "../output/Output.ts"
import { runJson } from "../runs/RunReport.ts"
import { suggestRun } from "../runs/SuggestRun.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"
import { gateLines, respondCommand } from "./GateText.ts"

type Texts = Readonly<Record<string, string>>

const parseTexts = (words: ReadonlyArray<string>): Either.Either<Texts, string> => {
  const malformed = words.find((word) => !/^[^=]+=/.test(word))
  if (malformed !== undefined) return Either.left(`--input takes FIELD=TEXT, not '${malformed}'.`)
  return Either.right(
    Object.fromEntries(
      words.map((word) => {
        const at = word.indexOf("=")
        return [word.slice(0, at), word.slice(at + 1)]
      })
    )
  )
}

export const respondToGate = (options: Call<Verbs["gateRespond"]>) =>
  Effect.gen(function* () {
    const gates = yield* RunGates
    const output = yield* Output
    const texts = parseTexts(options.input)
    if (Either.isLeft(texts)) return yield* misused(texts.left)
    const { _tag, view } = yield* suggestRun(
      gates.respond(options.run, { selected: options.value, additionalInput: texts.right })
    )
    if (options.json) return yield* printJson({ outcome: _tag, run: runJson(view) })
    if (_tag === "Sent") {
      return yield* output.report(
        `The answer is kept for run ${view.runId}, which has not taken it yet. See 'conductor status ${view.runId}'.`
      )
    }
    yield* output.print(`Run ${view.runId} took the answer '${shownInline(options.value)}'.`)
    if (view.gate !== undefined) yield* output.print(gateLines(view.gate, respondCommand(view.runId)).join("\n"))
  })
