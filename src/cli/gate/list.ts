/** `conductor gate list`: the runs that wait for an answer, and what they ask. */
import { Effect } from "effect"
import { RunGates } from "../../runs/RunGates.ts"
import { Output, printJson, shown, shownInline } from "../output/Output.ts"
import type { Call } from "../Verb.ts"
import type { Verbs } from "../Verbs.ts"
import { gateJson, gateLines, respondCommand } from "./GateText.ts"

export const listGates = (options: Call<Verbs["gateList"]>) =>
  Effect.gen(function* () {
    const gates = yield* RunGates
    const output = yield* Output
    const { waiting, warnings } = yield* gates.list
    if (options.json) {
      return yield* printJson({
        gates: waiting.map(({ gate, view }) => ({
          run_id: view.runId,
          workflow: view.workflow.name,
          ...gateJson(gate)
        })),
        warnings
      })
    }
    for (const warning of warnings) yield* output.report(output.errorStyle.yellow(`warning: ${shown(warning)}`))
    if (waiting.length === 0) return yield* output.report("No run waits for an answer.")
    const blocks = waiting.map(({ gate, view }) =>
      [
        output.style.bold(`${view.runId}  ${shownInline(view.workflow.name)}`),
        ...gateLines(gate, respondCommand(view.runId))
      ].join("\n")
    )
    yield* output.print(blocks.join("\n\n"))
  })
