/** `options[]` of a `human_gate` step: the answers that a person can give and where each of them leads. */
import { list, open, optional, withDefault } from "./Keyed.ts"
import { Flag, Text } from "./Scalars.ts"

export const GateOption = open({
  label: Text,
  value: Text,
  route: Text,
  prompt_for: optional(Text),
  multiline: withDefault(Flag, false)
})
export type GateOption = typeof GateOption.Type

export const GateOptions = list(GateOption)
