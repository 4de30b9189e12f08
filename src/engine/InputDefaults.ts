/** Fills in the inputs that the caller left out (workflow language §4.4). Given values, also null, are never replaced. */
import type { Value, ValueMap } from "../domain/Value.ts"
import type { InputDefinition, InputDefinitions, InputType } from "../language/document/InputDefinition.ts"

const ZERO: Readonly<Record<InputType, Value>> = { string: "", number: 0, boolean: false, array: [], object: {} }

const fallback = ({ default: value, required, type }: InputDefinition): Value | undefined =>
  value ?? (required ? undefined : ZERO[type])

/** A required input without default stays absent: only a template that needs it fails. */
export const withDefaults = (definitions: InputDefinitions, inputs: ValueMap): ValueMap => {
  const missing = Object.entries(definitions).flatMap(([name, definition]) => {
    const value = Object.hasOwn(inputs, name) ? undefined : fallback(definition)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...inputs, ...Object.fromEntries(missing) }
}
