/** Which keys each type of step takes and needs: the matrix of workflow language §1.7, and the rules between keys. */
import { Either, type Schema } from "effect"
import { checkDurationRange, parseDuration } from "../Duration.ts"
import { sourceProblem } from "./Source.ts"
import type { StepFields as Step } from "./StepFields.ts"
import { isTemplate, type StepType } from "./Vocabulary.ts"

type Key = Exclude<keyof Step, "name" | "description" | "type" | "input">

const LLM: ReadonlyArray<StepType> = ["agent"]
const ASKING: ReadonlyArray<StepType> = ["agent", "human_gate", "questions"]
const RUNNING: ReadonlyArray<StepType> = ["agent", "human_gate", "questions", "script", "workflow"]

/** The types that accept a key, used or not. */
const ACCEPTED_BY: Readonly<Record<Key, ReadonlyArray<StepType>>> = {
  routes: ["agent", "human_gate", "questions", "script", "set", "wait", "workflow", "mcp"],
  prompt: ASKING,
  system_prompt: ASKING,
  provider: ["agent", "human_gate"],
  model: ["agent", "human_gate"],
  tools: ["agent", "human_gate"],
  output: ["agent", "human_gate", "script", "set", "workflow", "mcp"],
  output_mode: LLM,
  options: ["agent", "human_gate"],
  questions: ["questions"],
  source: ["questions"],
  allow_back: ["questions"],
  allow_skip: ["questions"],
  allow_skip_all: ["questions"],
  allow_abort: ["questions"],
  abort_route: ["questions"],
  command: ["agent", "human_gate", "questions", "script"],
  args: RUNNING,
  env: RUNNING,
  timeout: RUNNING,
  working_dir: ["agent", "script", "mcp"],
  stdin: ["script"],
  duration: ["wait"],
  reason: ["wait", "terminate"],
  value: ["set"],
  values: ["set"],
  output_type: ["set"],
  workflow: RUNNING,
  input_mapping: ["workflow"],
  max_depth: ["workflow"],
  timeout_seconds: ["agent", "mcp"],
  max_session_seconds: ASKING,
  max_agent_iterations: ASKING,
  retry: ASKING,
  session_key: LLM,
  dialog: LLM,
  reasoning: LLM,
  context_tier: LLM,
  validator: LLM,
  sandbox: LLM,
  skills: LLM,
  plugins: LLM,
  status: ["terminate"],
  output_template: ["terminate"],
  server: ["mcp"],
  tool: ["mcp"],
  arguments: ["mcp"]
}

/** Keys whose mere presence is refused; of the others, an empty value counts as absent. */
const PRESENCE_COUNTS: ReadonlySet<Key> = new Set<Key>([
  "tools",
  "skills",
  "plugins",
  "value",
  "values",
  "duration",
  "sandbox"
])

const isEmpty = (value: unknown): boolean =>
  value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0)

const isGiven = (step: Step, key: Key, type: StepType): boolean => {
  const value = step[key]
  if (value === undefined) return false
  const strict = PRESENCE_COUNTS.has(key) || (key === "output" && (type === "wait" || type === "terminate"))
  return strict || !isEmpty(value)
}

type Issues = ReadonlyArray<Schema.FilterIssue>

const issue = (key: Key, message: string): Schema.FilterIssue => ({ path: [key], message })

const misplaced = (step: Step, type: StepType): Issues =>
  (Object.keys(ACCEPTED_BY) as ReadonlyArray<Key>)
    .filter((key) => !ACCEPTED_BY[key].includes(type) && isGiven(step, key, type))
    .map((key) => issue(key, `a step of type ${type} takes no "${key}" (only ${ACCEPTED_BY[key].join(", ")})`))

const needs = (step: Step, type: StepType, key: Key): Issues =>
  step[key] === undefined || isEmpty(step[key]) ? [issue(key, `a step of type ${type} needs the key "${key}"`)] : []

const exactlyOne = (step: Step, type: StepType, one: Key, other: Key): Issues => {
  const given = [one, other].filter((key) => step[key] !== undefined)
  if (given.length === 1) return []
  return [issue(one, `a step of type ${type} needs exactly one of "${one}" and "${other}"`)]
}

const durationIssues = ({ duration }: Step): Issues => {
  if (duration === undefined) return [issue("duration", `a step of type wait needs the key "duration"`)]
  if (typeof duration === "string" && duration.includes("{{")) return []
  return Either.match(Either.flatMap(parseDuration(duration), checkDurationRange), {
    onLeft: ({ message }) => [issue("duration", message)],
    onRight: () => []
  })
}

const questionsIssues = (step: Step): Issues => {
  const source = step.source === undefined ? undefined : sourceProblem(step.source)
  return [
    ...exactlyOne(step, "questions", "questions", "source"),
    ...(step.questions?.length === 0 ? [issue("questions", `"questions" needs at least one question`)] : []),
    ...(source === undefined ? [] : [issue("source", source)]),
    ...(step.abort_route !== undefined && step.allow_abort !== true
      ? [issue("abort_route", `"abort_route" needs allow_abort: true`)]
      : [])
  ]
}

const setIssues = (step: Step): Issues => [
  ...exactlyOne(step, "set", "value", "values"),
  ...(step.output_type !== undefined && step.value === undefined
    ? [issue("output_type", `"output_type" goes with "value" only`)]
    : [])
]

const terminateIssues = (step: Step): Issues => [
  ...needs(step, "terminate", "status"),
  ...(step.reason?.trim() ? [] : [issue("reason", `a step of type terminate needs the key "reason", not blank`)])
]

const agentIssues = (step: Step): Issues =>
  step.output_mode === "raw" && step.output !== undefined && !isEmpty(step.output)
    ? [issue("output_mode", `output_mode: raw gives the model's text as it is, and so cannot go with "output"`)]
    : []

/** Both are looked up before a run starts, so they cannot be templates. */
const literal = (step: Step, key: "server" | "tool"): Issues => {
  const missing = needs(step, "mcp", key)
  if (missing.length > 0) return missing
  return isTemplate(step[key] ?? "") ? [issue(key, `"${key}" is literal text and cannot be a template`)] : []
}

const ownIssues: Readonly<Record<StepType, (step: Step) => Issues>> = {
  agent: agentIssues,
  human_gate: (step) => [...needs(step, "human_gate", "prompt"), ...needs(step, "human_gate", "options")],
  questions: questionsIssues,
  script: (step) => needs(step, "script", "command"),
  set: setIssues,
  wait: durationIssues,
  terminate: terminateIssues,
  workflow: (step) => needs(step, "workflow", "workflow"),
  mcp: (step) => [...literal(step, "server"), ...literal(step, "tool")]
}

const optionalOutputs = ({ output = {} }: Step): Issues =>
  Object.entries(output).flatMap(([name, field]) =>
    field.required
      ? []
      : [{ path: ["output", name, "required"], message: "only fields inside properties may be optional" }]
  )

export const stepIssues = (step: Step): Issues => {
  const type = step.type ?? "agent"
  return [...misplaced(step, type), ...ownIssues[type](step), ...optionalOutputs(step)]
}
