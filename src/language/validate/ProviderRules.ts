/** A step asks its model provider only for what that provider can do. */
import type { Plugin } from "../document/Plugins.ts"
import type { Step } from "../document/Step.ts"
import { isTemplate } from "../document/Vocabulary.ts"
import type { Place } from "../Problem.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES, type Capabilities } from "./ProviderCapabilities.ts"
import { told, type Refusal } from "./ProviderRefusal.ts"
import { modelSteps, providerOf, type PlacedStep, type Scope } from "./Scope.ts"

interface Wish {
  readonly wanted: boolean
  readonly able: (capabilities: Capabilities) => boolean
  readonly what: string
  readonly place: Place
}

const isNonEmpty = (values: ReadonlyArray<string | Plugin> | undefined): boolean =>
  values !== undefined && values.length > 0

/** The place of the step's own setting, or that of the runtime's which it inherits. */
const setting = (placed: PlacedStep, key: keyof Step & string): Place =>
  placed.step[key] === undefined ? ["workflow", "runtime", key] : [...placed.place, key]

const effortAble =
  (effort: string | undefined) =>
  ({ efforts }: Capabilities): boolean =>
    effort === undefined || (isTemplate(effort) ? efforts.length > 0 : efforts.includes(effort))

const wishes = (placed: PlacedStep, { document }: Scope): ReadonlyArray<Wish> => {
  const { place, step } = placed
  const { runtime } = document.workflow
  const ownEffort = step.reasoning?.effort
  const effort = ownEffort ?? runtime.default_reasoning_effort
  const servers = Object.keys(runtime.mcp_servers)
  return [
    {
      wanted: servers.length > 0,
      able: ({ mcp }) => mcp !== "none",
      what: `MCP servers (${servers.join(", ")})`,
      place: ["workflow", "runtime", "mcp_servers"]
    },
    {
      wanted: isNonEmpty(step.tools ?? document.tools),
      able: ({ toolsFilter }) => toolsFilter,
      what: "a choice of tools",
      place: step.tools === undefined ? ["tools"] : [...place, "tools"]
    },
    {
      wanted: step.tools?.length === 0 && servers.length > 0,
      able: ({ mcp, toolsFilter }) => toolsFilter || mcp === "none",
      what: "tools: [] beside MCP servers",
      place: [...place, "tools"]
    },
    {
      wanted: effort !== undefined,
      able: effortAble(effort),
      what: `the reasoning effort ${effort}`,
      place:
        ownEffort === undefined
          ? ["workflow", "runtime", "default_reasoning_effort"]
          : [...place, "reasoning", "effort"]
    },
    {
      wanted: (step.working_dir ?? runtime.working_dir) !== undefined,
      able: ({ workingDirectory }) => workingDirectory,
      what: "working_dir",
      place: setting(placed, "working_dir")
    },
    {
      wanted: step.session_key !== undefined,
      able: ({ sessionKey }) => sessionKey,
      what: "session_key",
      place: [...place, "session_key"]
    },
    {
      wanted: isNonEmpty(step.skills ?? runtime.skills),
      able: ({ skills }) => skills !== "none",
      what: "skills",
      place: setting(placed, "skills")
    },
    {
      wanted: isNonEmpty(step.plugins ?? runtime.plugins),
      able: ({ plugins }) => plugins !== "none",
      what: "plugins",
      place: setting(placed, "plugins")
    },
    {
      wanted: runtime.temperature !== undefined,
      able: ({ maxTemperature }) => (runtime.temperature ?? 0) <= maxTemperature,
      what: `a temperature of ${runtime.temperature}`,
      place: ["workflow", "runtime", "temperature"]
    }
  ]
}

export const providerCapabilities = (scope: Scope): ReadonlyArray<Finding> => {
  const refusals = modelSteps(scope).flatMap((placed): ReadonlyArray<Refusal> => {
    const provider = providerOf(placed.step, scope)
    return wishes(placed, scope)
      .filter(({ able, wanted }) => wanted && !able(CAPABILITIES[provider]))
      .map(({ place, what }) => ({ step: placed.step.name, provider, place, what }))
  })
  return told(refusals, "support", error)
}

/** Such providers put the schema into the prompt and hope. */
export const promptedOutput = (scope: Scope): ReadonlyArray<Finding> =>
  modelSteps(scope).flatMap(({ place, step }) => {
    const provider = providerOf(step, scope)
    const { structuredOutput, tier } = CAPABILITIES[provider]
    return tier === "experimental" && structuredOutput === "prompt" && Object.keys(step.output ?? {}).length > 0
      ? [
          warning(
            [...place, "output"],
            `the provider ${provider} only asks for this shape of step "${step.name}", it cannot enforce it`
          )
        ]
      : []
  })
