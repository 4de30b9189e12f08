/** From a checked entry of the document to a plan node. Total: what `StepRules` requires is there, so fallbacks are never seen. */
import type { ForEach } from "./document/ForEach.ts"
import type { Parallel } from "./document/Parallel.ts"
import { END } from "./document/Route.ts"
import type { Step } from "./document/Step.ts"
import type { ForEachNode, ParallelNode, PromptTemplate, QuestionsNode, SetNode, StepNode } from "./PlanNode.ts"
import { dotted, type Place } from "./Problem.ts"

export type FileOrigins = ReadonlyMap<string, string>

const AGENT_KEYS = [
  "provider",
  "model",
  "tools",
  "output",
  "output_mode",
  "working_dir",
  "timeout_seconds",
  "max_session_seconds",
  "max_agent_iterations",
  "session_key",
  "retry",
  "dialog",
  "reasoning",
  "context_tier",
  "validator",
  "sandbox",
  "skills",
  "plugins"
] as const satisfies ReadonlyArray<keyof Step>

/** The given properties of `record`, leaving out those that are absent. */
const pick = <A extends object, K extends keyof A>(record: A, keys: ReadonlyArray<K>): Pick<A, K> =>
  Object.fromEntries(keys.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]]))) as Pick<A, K>

const prompt = (template: string, place: Place, origins: FileOrigins): PromptTemplate => {
  const origin = origins.get(dotted(place))
  return origin === undefined ? { template } : { template, origin }
}

const binding = ({ output_type, value, values }: Step): SetNode["binding"] =>
  values === undefined
    ? { _tag: "Single", value: value ?? "", output_type: output_type ?? "auto" }
    : { _tag: "Several", values }

const questions = ({ questions: items, source }: Step): QuestionsNode["questions"] =>
  source === undefined ? { _tag: "Inline", items: items ?? [] } : { _tag: "Source", source }

export const compileStep = (step: Step, place: Place, origins: FileOrigins): StepNode => {
  const base = { ...pick(step, ["name", "description", "input", "routes"]), place }
  const ownPrompt = prompt(step.prompt, [...place, "prompt"], origins)
  switch (step.type ?? "agent") {
    case "agent": {
      const { system_prompt: system } = step
      const systemPrompt =
        system === undefined ? {} : { system_prompt: prompt(system, [...place, "system_prompt"], origins) }
      return { kind: "agent", ...base, prompt: ownPrompt, ...systemPrompt, ...pick(step, AGENT_KEYS) }
    }
    case "human_gate":
      return { kind: "human_gate", ...base, prompt: ownPrompt, options: step.options ?? [] }
    case "questions":
      return {
        kind: "questions",
        ...base,
        prompt: ownPrompt,
        questions: questions(step),
        allow_back: step.allow_back ?? true,
        allow_skip: step.allow_skip ?? true,
        allow_skip_all: step.allow_skip_all ?? true,
        allow_abort: step.allow_abort ?? false,
        abort_route: step.abort_route ?? END
      }
    case "script": {
      const command = step.command ?? ""
      return {
        kind: "script",
        ...base,
        command,
        ...pick(step, ["args", "env", "working_dir", "stdin", "timeout", "output"])
      }
    }
    case "set":
      return { kind: "set", ...base, binding: binding(step), ...pick(step, ["output"]) }
    case "wait":
      return { kind: "wait", ...base, duration: step.duration ?? 0, ...pick(step, ["reason"]) }
    case "terminate": {
      const { reason = "", status = "failed" } = step
      return { kind: "terminate", ...base, status, reason, ...pick(step, ["output_template"]) }
    }
    case "workflow":
      return { kind: "workflow", ...base, workflow: step.workflow ?? "", ...pick(step, ["input_mapping", "max_depth"]) }
    case "mcp": {
      const { arguments: given = {}, server = "", tool = "" } = step
      const own = pick(step, ["working_dir", "timeout_seconds", "output"])
      return { kind: "mcp", ...base, server, tool, arguments: given, ...own }
    }
  }
}

export const compileParallel = (group: Parallel, place: Place, steps: ReadonlyMap<string, StepNode>): ParallelNode => {
  const members = group.agents.flatMap((name) => steps.get(name) ?? [])
  return { kind: "parallel", ...pick(group, ["name", "description", "routes", "failure_mode"]), place, members }
}

export const compileForEach = (group: ForEach, place: Place, origins: FileOrigins): ForEachNode => ({
  kind: "for_each",
  ...pick(group, ["name", "description", "routes", "source", "as", "max_concurrent", "failure_mode", "key_by"]),
  place,
  step: compileStep(group.agent, [...place, "agent"], origins)
})
