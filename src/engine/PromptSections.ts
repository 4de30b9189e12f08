/** What is put around the prompt that an author wrote: what a person said, behind it (workflow language §5.14). */

const bullets = (lines: ReadonlyArray<string>): string => lines.map((line) => `- ${line}`).join("\n")

export const guidanceSection = (guidance: ReadonlyArray<string>): string =>
  guidance.length === 0
    ? ""
    : `\n\n[User Guidance]\nThe user has said this while the workflow was running. Follow it.\n${bullets(guidance)}`
