/**
 * A fork at which a person says where the run goes on (workflow language §5.19). Presenting it and waiting for the answer
 * are two commands, so that a run that is taken up again waits at the gate that it had opened.
 */
import { Effect } from "effect"
import type { GateAnswer, OpenGate } from "../../domain/Gate.ts"
import type { ValueMap } from "../../domain/Value.ts"
import type { HumanGateNode } from "../../language/PlanNode.ts"
import type { Journal } from "../Journal.ts"
import { renderPrompt } from "../PromptRendering.ts"
import { askPerson } from "./AskPerson.ts"

/** Three line ends or more come from templates that rendered to nothing. */
const collapsed = (prompt: string): string => prompt.replaceAll(/\n{3,}/g, "\n\n")

/** `context` is the full one; `promptId` is new. */
export const presentGate = Effect.fn("GateStep.present")(function* (
  { name, options, prompt }: HumanGateNode,
  { context, journal, promptId }: { readonly context: ValueMap; readonly journal: Journal; readonly promptId: string }
) {
  yield* journal.append("gate_presented", {
    agent_name: name,
    prompt_id: promptId,
    prompt: collapsed(yield* renderPrompt(prompt, context)),
    options: options.map(({ value }) => value),
    option_details: options.map(({ label, multiline, prompt_for = null, route, value }) => ({
      label,
      value,
      route,
      prompt_for,
      multiline
    }))
  })
})

/** The first option, and no words: nobody attends to the run. */
const firstOption = ({ options }: OpenGate): GateAnswer => ({ selected: options[0]?.value ?? "", additionalInput: {} })

export const resolveGate = Effect.fn("GateStep.resolve")(function* (
  gate: OpenGate,
  journal: Journal,
  gates: "ask" | "skip"
) {
  const { additionalInput, selected } = gates === "skip" ? firstOption(gate) : yield* askPerson(gate, journal)
  yield* journal.append("gate_resolved", {
    agent_name: gate.step,
    prompt_id: gate.promptId,
    selected_option: selected,
    route: gate.options.find(({ value }) => value === selected)?.route ?? "",
    additional_input: additionalInput
  })
})
