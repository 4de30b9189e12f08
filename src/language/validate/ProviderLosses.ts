/** What a provider leaves out or refuses in its own time, which the reference's validation does not look at (§7.2, §7.4). */
import type { Place } from "../Problem.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES, type Capabilities } from "./ProviderCapabilities.ts"
import { told, type Refusal } from "./ProviderRefusal.ts"
import { modelSteps, providerOf, type PlacedStep, type Scope } from "./Scope.ts"

interface Loss {
  readonly isLost: (capabilities: Capabilities) => boolean
  readonly place: Place
  readonly what: string
}

const losses = (placed: PlacedStep, { document }: Scope): ReadonlyArray<Loss> => {
  const { runtime } = document.workflow
  const settings = (["temperature", "max_tokens"] as const).filter((key) => runtime[key] !== undefined)
  const servers = Object.entries(runtime.mcp_servers)
  return [
    ...settings.map((key) => ({
      isLost: ({ sampling }: Capabilities) => !sampling,
      place: ["workflow", "runtime", key],
      what: key
    })),
    ...servers
      .filter(([, { type }]) => type !== "stdio")
      .map(([name, { type }]) => ({
        isLost: ({ mcp }: Capabilities) => mcp === "stdio",
        place: ["workflow", "runtime", "mcp_servers", name],
        what: `MCP servers of type ${type}`
      })),
    ...servers
      .filter(([, { tools }]) => !tools.includes("*"))
      .map(([name]) => ({
        isLost: ({ mcp, toolsFilter }: Capabilities) => mcp !== "none" && !toolsFilter,
        place: ["workflow", "runtime", "mcp_servers", name, "tools"],
        what: "a choice of an MCP server's tools"
      })),
    ...(placed.step.context_tier === undefined
      ? []
      : [
          {
            isLost: ({ contextTier }: Capabilities) => !contextTier,
            place: [...placed.place, "context_tier"],
            what: "context_tier"
          }
        ]),
    ...(placed.step.sandbox === undefined
      ? []
      : [{ isLost: ({ sandbox }: Capabilities) => !sandbox, place: [...placed.place, "sandbox"], what: "sandbox" }])
  ]
}

export const providerLosses = (scope: Scope): ReadonlyArray<Finding> => {
  const refusals = modelSteps(scope).flatMap((placed): ReadonlyArray<Refusal> => {
    const provider = providerOf(placed.step, scope)
    return losses(placed, scope)
      .filter(({ isLost }) => isLost(CAPABILITIES[provider]))
      .map(({ place, what }) => ({ step: placed.step.name, provider, place, what }))
  })
  return told(refusals, "take", warning)
}
