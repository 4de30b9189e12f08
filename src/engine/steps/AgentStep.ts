/** One LLM step: its fields are rendered, the provider is asked, the answer becomes the output (workflow language §5.10). */
import type { FileSystem } from "@effect/platform/FileSystem"
import { Duration, Effect } from "effect"
import { AgentProviders, type AgentRequest } from "../../agents/AgentProvider.ts"
import type { Plan } from "../../language/Plan.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import { CONTEXT_TIERS, isTemplate, REASONING_EFFORTS } from "../../language/document/Vocabulary.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import type { Environment } from "../../platform/Environment.ts"
import { callAgent } from "../AgentCall.ts"
import { AgentTimeoutError, type EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { guidanceSection } from "../PromptSections.ts"
import { renderPrompt } from "../PromptRendering.ts"
import { renderChoice } from "../RenderChoice.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

export interface AgentSetting {
  readonly plan: Plan
  readonly provider: string
  /** Absolute. */
  readonly workingDirectory: string | undefined
  /** Seconds until the whole run is out of time; infinite without a limit. */
  readonly remaining: Effect.Effect<number>
  /** What a person has said to the run so far. */
  readonly guidance: ReadonlyArray<string>
}

export type AgentServices = AgentProviders | Environment | FileSystem

type Run = StepRun<AgentNode>

type Given<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

/** Only the entries that have a value: an absent option is no option of the request. */
const given = <A extends object>(record: A) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Given<A>

const wantsStructure = ({ output, output_mode }: AgentNode): boolean =>
  output !== undefined && Object.keys(output).length > 0 && output_mode !== "raw"

const request = Effect.fn("AgentStep.request")(function* ({ context, journal, step }: Run, setting: AgentSetting) {
  const { runtime } = setting.plan
  const written = step.model ?? runtime.default_model
  const model = written !== undefined && isTemplate(written) ? yield* renderTemplate(written, context) : written
  const effort =
    step.reasoning === undefined
      ? runtime.default_reasoning_effort
      : yield* renderChoice(step.reasoning.effort, REASONING_EFFORTS, `Step '${step.name}': reasoning.effort`, context)
  if (step.context_tier !== undefined) {
    yield* renderChoice(step.context_tier, CONTEXT_TIERS, `Step '${step.name}': context_tier`, context)
  }
  const prompt = `${yield* renderPrompt(step.prompt, context)}${guidanceSection(setting.guidance)}`
  yield* journal.append("agent_prompt_rendered", {
    agent_name: step.name,
    rendered_prompt: prompt,
    context_keys: Object.keys(context)
  })
  const systemPrompt = step.system_prompt === undefined ? undefined : yield* renderPrompt(step.system_prompt, context)
  return {
    step: step.name,
    prompt,
    turns: [],
    ...given({
      systemPrompt,
      model,
      output: wantsStructure(step) ? step.output : undefined,
      temperature: runtime.temperature,
      maxTokens: runtime.max_tokens,
      reasoningEffort: effort,
      workingDirectory: setting.workingDirectory
    })
  } satisfies AgentRequest
})

const ask = Effect.fn("AgentStep.ask")(function* (run: Run, setting: AgentSetting) {
  const asked = yield* request(run, setting)
  const providers = yield* AgentProviders
  const provider = yield* providers.get(setting.provider)
  const answer = yield* callAgent(provider, asked, run.step.retry, run.journal)
  return { ...answer, model: answer.model ?? asked.model ?? null }
})

type Answered = Effect.Effect.Success<ReturnType<typeof ask>>

/** A run that ends sooner than the step may last fails with its own timeout instead. */
const withTimeout = (
  work: Effect.Effect<Answered, EngineError | EventSinkError, AgentServices>,
  { journal, step }: Run,
  { remaining }: AgentSetting
) =>
  Effect.gen(function* () {
    const limit = step.timeout_seconds
    if (limit === undefined || (yield* remaining) <= limit) return yield* work
    const elapsed = yield* stopwatch
    return yield* work.pipe(
      Effect.timeoutFail({
        duration: Duration.seconds(limit),
        onTimeout: () => new AgentTimeoutError({ elapsed: limit, limit, step: step.name })
      }),
      Effect.tapErrorTag("AgentTimeoutError", () =>
        Effect.flatMap(elapsed, (elapsed) =>
          journal.append("agent_timeout", { agent_name: step.name, elapsed, timeout_seconds: limit })
        )
      )
    )
  })

export const runAgentStep = (run: Run, setting: AgentSetting): StepEffect<AgentServices> =>
  Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const { model, output, usage } = yield* withTimeout(ask(run, setting), run, setting)
    yield* run.journal.append("agent_completed", {
      agent_name: run.step.name,
      agent_type: "agent",
      elapsed: yield* elapsed,
      model,
      tokens: usage.inputTokens + usage.outputTokens,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: null,
      output,
      output_keys: Object.keys(output)
    })
  })
