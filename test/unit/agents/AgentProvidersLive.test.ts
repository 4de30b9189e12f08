import { describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { AgentProviders } from "../../../src/agents/AgentProvider.ts"
import { agentProvidersLayer, openAiConfig, type Environment } from "../../../src/agents/AgentProvidersLive.ts"

const failureOf = (name: string, environment: Environment) =>
  Effect.flatMap(AgentProviders, (providers) => providers.get(name)).pipe(
    Effect.flip,
    Effect.provide(agentProvidersLayer({}, environment))
  )

describe("the configuration of provider openai", () => {
  it("is OpenAI itself, with ten minutes a request, when nothing is said", () => {
    expect(openAiConfig({}, {})).toMatchObject({ baseUrl: "https://api.openai.com/v1", defaultModel: "gpt-5-mini" })
  })

  it("comes from the environment, and from the workflow first", () => {
    const environment = { OPENAI_BASE_URL: "http://env/v1", OPENAI_API_KEY: "env-key" }
    const provider = { name: "openai", base_url: "http://workflow/v1", api_key: "workflow-key" }
    const own = openAiConfig({ provider }, environment)
    const inherited = openAiConfig({ provider: "openai" }, environment)
    expect([own.baseUrl, own.apiKey && Redacted.value(own.apiKey)]).toEqual(["http://workflow/v1", "workflow-key"])
    expect([inherited.baseUrl, inherited.apiKey && Redacted.value(inherited.apiKey)]).toEqual([
      "http://env/v1",
      "env-key"
    ])
  })

  it("ignores the settings of another provider and blank variables", () => {
    const provider = { name: "claude", base_url: "http://claude/v1", api_key: "claude-key" }
    const config = openAiConfig({ provider }, { OPENAI_API_KEY: " " })
    expect(config.baseUrl).toBe("https://api.openai.com/v1")
    expect(config.apiKey).toBeUndefined()
  })
})

describe("the providers of a run", () => {
  it.effect("a provider that is not available is refused with the names of those that are", () =>
    Effect.gen(function* () {
      const error = yield* failureOf("copilot", {})
      expect(error).toMatchObject({ category: "request", retryable: false })
      expect(error.message).toBe(`provider 'copilot' is not available; set "provider" to one of: openai`)
    })
  )

  it.effect("OpenAI without a key is refused before anything is sent", () =>
    Effect.gen(function* () {
      const error = yield* failureOf("openai", {})
      expect(error.category).toBe("authentication")
      expect(error.message).toContain("set OPENAI_API_KEY")
    })
  )

  it.effect.each(["ftp://host/v1", "host/v1", "http://user:secret@host/v1"])(
    "a base URL that cannot be used is refused and not quoted: %s",
    (url) =>
      Effect.gen(function* () {
        const error = yield* failureOf("openai", { OPENAI_BASE_URL: url })
        expect(error.category).toBe("request")
        expect(error.message).not.toContain("secret")
        expect(error.message).toContain("base URL")
      })
  )
})
