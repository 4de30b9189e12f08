/** An option that the engine itself offers: it leads nowhere and asks for no text. */
import type { RunEventData } from "../domain/RunEvent.ts"

export type PromptOptions = RunEventData["gate_presented"]["option_details"]

export const plainOption = (value: string, label: string): PromptOptions[number] => ({
  label,
  value,
  route: "",
  prompt_for: null,
  multiline: false
})
