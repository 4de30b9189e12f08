/** What an HTTP status says about a failed request (workflow language §5.13). */
import type { ProviderError } from "./AgentProvider.ts"

export const categoryOfStatus = (status: number): ProviderError["category"] => {
  if (status === 401 || status === 403) return "authentication"
  if (status === 408) return "timeout"
  if (status === 429) return "rate_limit"
  return status >= 500 ? "server" : "request"
}

export const isRetryableStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500
