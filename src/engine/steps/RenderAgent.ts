/** From the fields of an LLM step to what a provider is asked, in the order that decides which fault is told (workflow language §5.10). */
import { Effect } from "effect"
import type { AgentRequest } from "../../agents/AgentProvider.ts"
import type { Plan } from "../../language/Plan.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import { CONTEXT_TIERS, isTemplate, REASONING_EFFORTS } from "../../language/document/Vocabulary.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import { guidanceSection, instructionsPrefix } from "../PromptSections.ts"
import { renderPrompt } from "../PromptRendering.ts"
import { renderChoice } from "../RenderChoice.ts"
import { skillsPrefix } from "../SkillInjection.ts"
import type { AgentSetting } from "./AgentStep.ts"
import type { StepRun } from "./StepRun.ts"

type Given<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

/** Only the entries that have a value: an absent option is no option of the request. */
const given = <A extends object>(record: A) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Given<A>

const wantsStructure = ({ output, output_mode }: AgentNode): boolean =>
  output !== undefined && Object.keys(output).length > 0 && output_mode !== "raw"

/** The step's own model or the runtime's; none leaves the choice to the provider. */
export const renderModel = Effect.fn("RenderAgent.renderModel")(function* (
  { context, step }: StepRun<AgentNode>,
  { runtime }: Plan
) {
  const written = step.model ?? runtime.default_model
  return written !== undefined && isTemplate(written) ? yield* renderTemplate(written, context) : written
})

/** The request, and the author's own prompt in it. */
export const renderAgent = Effect.fn("RenderAgent.render")(function* (
  run: StepRun<AgentNode>,
  { guidance, plan, provider, transcript = "", workingDirectory }: AgentSetting
) {
  const { context, journal, step } = run
  const { runtime } = plan
  const model = yield* renderModel(run, plan)
  const effort =
    step.reasoning === undefined
      ? runtime.default_reasoning_effort
      : yield* renderChoice(step.reasoning.effort, REASONING_EFFORTS, `Step '${step.name}': reasoning.effort`, context)
  if (step.context_tier !== undefined) {
    yield* renderChoice(step.context_tier, CONTEXT_TIERS, `Step '${step.name}': context_tier`, context)
  }
  const own = yield* renderPrompt(step.prompt, context)
  const prefix = instructionsPrefix(plan.instructions) + (yield* skillsPrefix({ step, plan, provider, journal }))
  const prompt = `${prefix}${own}${transcript}${guidanceSection(guidance)}`
  yield* journal.append("agent_prompt_rendered", {
    agent_name: step.name,
    rendered_prompt: prompt,
    context_keys: Object.keys(context)
  })
  const systemPrompt = step.system_prompt === undefined ? undefined : yield* renderPrompt(step.system_prompt, context)
  const request = {
    step: step.name,
    prompt,
    turns: [],
    ...given({
      systemPrompt,
      model,
      output: wantsStructure(step) ? step.output : undefined,
      temperature: runtime.temperature,
      maxTokens: runtime.max_tokens,
      maxSessionSeconds: step.max_session_seconds ?? runtime.max_session_seconds,
      reasoningEffort: effort,
      workingDirectory
    })
  } satisfies AgentRequest
  return { request, own }
})
