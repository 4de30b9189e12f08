/** An open gate for people: the question, the answers, and how to give one. */
import type { OpenGate } from "../../domain/Gate.ts"
import type { ValueMap } from "../../domain/Value.ts"
import { shown, shownInline } from "../output/Output.ts"

/** Keys are stable: scripts read them. */
export const gateJson = ({ options, prompt, promptId, step }: OpenGate): ValueMap => ({
  step,
  prompt_id: promptId,
  prompt,
  options: options.map(({ label, promptFor, route, value }) => ({
    value,
    label,
    ...(route === undefined ? {} : { route }),
    ...(promptFor === undefined ? {} : { prompt_for: promptFor })
  }))
})

const answerWords = ({ promptFor, value }: OpenGate["options"][number]): string =>
  promptFor === undefined ? shownInline(value) : `${shownInline(value)} --input ${shownInline(promptFor)}=TEXT`

/** Several lines; `command` is what an answer is put behind. */
export const gateLines = ({ options, prompt, step }: OpenGate, command: string): ReadonlyArray<string> => {
  const rows = options.map((option) => [answerWords(option), shownInline(option.label)] as const)
  const width = Math.max(...rows.map(([words]) => words.length))
  return [
    `${shownInline(step)} asks: ${shown(prompt)}`,
    `Answer with '${command} <value>':`,
    ...rows.map(([words, label]) => `  ${words.padEnd(width)}  ${label}`.trimEnd())
  ]
}

export const respondCommand = (runId: string): string => `conductor gate respond ${runId}`
