/** What is put around the prompt that an author wrote: instructions before it, what a person said behind it (workflow language §5.14). */

const SEPARATOR = "\n\n---\n\n"

/** Nothing when all entries are blank. */
export const instructionsPrefix = (instructions: ReadonlyArray<string>): string => {
  const parts = instructions.map((text) => text.trim()).filter((text) => text !== "")
  if (parts.length === 0) return ""
  return (
    "<workspace_instructions>\nFollow these instructions of the workspace in everything you do.\n\n" +
    `${parts.join(SEPARATOR)}\n</workspace_instructions>\n\n`
  )
}

/** What a model may know how to do, each by its name. Nothing without skills. */
export const skillsSection = (skills: ReadonlyArray<{ readonly name: string; readonly text: string }>): string => {
  if (skills.length === 0) return ""
  const parts = skills.map(({ name, text }) => `<skill name="${name}">\n${text}\n</skill>`)
  return `<skills>\nUse these skills where they fit the task.\n\n${parts.join("\n\n")}\n</skills>\n\n`
}

const bullets = (lines: ReadonlyArray<string>): string => lines.map((line) => `- ${line}`).join("\n")

export const guidanceSection = (guidance: ReadonlyArray<string>): string =>
  guidance.length === 0
    ? ""
    : `\n\n[User Guidance]\nThe user has said this while the workflow was running. Follow it.\n${bullets(guidance)}`

/** For the second try of a step whose output a validator has refused. */
export const feedbackSection = (issues: ReadonlyArray<string>): string =>
  "\n\n## Validation feedback\nYour previous output was checked and refused. Correct this and answer again:\n" +
  bullets(issues.length === 0 ? ["The criteria were not met."] : issues)
