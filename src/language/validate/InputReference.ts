/** The references of a step's `input:` list (workflow language §4.5), as validation reads them: stricter than a run does. */

export type InputReference =
  | { readonly _tag: "Input"; readonly name: string; readonly optional: boolean }
  | { readonly _tag: "Step"; readonly name: string; readonly fields: ReadonlyArray<string>; readonly optional: boolean }
  | {
      readonly _tag: "Group"
      readonly name: string
      readonly part: "outputs" | "errors"
      /** Member and field, each if named. */
      readonly path: ReadonlyArray<string>
      readonly optional: boolean
    }

const NAME = "[A-Za-z_][A-Za-z0-9_]*"
const INPUT = new RegExp(`^workflow\\.input\\.(${NAME})$`)
const GROUP = new RegExp(`^(${NAME})\\.(outputs|errors)((?:\\.${NAME}){0,2})$`)
const STEP = new RegExp(`^(${NAME})((?:\\.${NAME})+)$`)

const namesOf = (path: string): ReadonlyArray<string> => path.split(".").filter((name) => name !== "")

/** Undefined when the text is no reference. */
export const parseInputReference = (text: string): InputReference | undefined => {
  const optional = text.endsWith("?")
  const reference = optional ? text.slice(0, -1) : text
  const input = INPUT.exec(reference)
  if (input?.[1] !== undefined) return { _tag: "Input", name: input[1], optional }
  const group = GROUP.exec(reference)
  if (group?.[1] !== undefined) {
    return {
      _tag: "Group",
      name: group[1],
      part: group[2] === "errors" ? "errors" : "outputs",
      path: namesOf(group[3] ?? ""),
      optional
    }
  }
  const step = STEP.exec(reference)
  if (step?.[1] === undefined || step[1] === "workflow") return undefined
  const [first, ...rest] = namesOf(step[2] ?? "")
  if (first === "outputs" || first === "errors") return undefined
  return { _tag: "Step", name: step[1], fields: first === "output" ? rest : namesOf(step[2] ?? ""), optional }
}
