/** The dotted place of a list that `questions` and `for_each` read at run time. Its form is checked, not its target. */
import { IDENTIFIER } from "./Vocabulary.ts"

/** What is wrong with the form of a source (`step.output.field`, at least three parts), if anything. */
export const sourceProblem = (source: string): string | undefined => {
  const parts = source.split(".")
  if (parts.length < 3) return `the source "${source}" needs at least three parts, such as step.output.items`
  return IDENTIFIER.test(parts[0] ?? "") ? undefined : `the source "${source}" must begin with a plain name`
}
