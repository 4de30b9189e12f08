/** What the data of many events have in common. */

/** Fields common to failures: the reference's error class name, and a message that ends with what to do. */
export interface Failure {
  readonly error_type: string
  readonly message: string
}

export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

export interface OfStep {
  readonly agent_name: string
}

/** Seconds since the step started. */
export interface Timed {
  readonly elapsed: number
}

export interface Termination {
  readonly termination_reason: string
  readonly terminated_by: string
  readonly is_explicit: true
  readonly status: "success" | "failed"
}

export interface Tokens {
  readonly tokens: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

/** What an LLM step that has a `session_key` said in its session; the reply is the output. Ours: the next one needs it. */
export type SessionTurn = {
  readonly key: string
  /** Absolute. */
  readonly working_dir: string
  /** Of the step itself, without what is put around it. */
  readonly prompt: string
}

export interface InSession {
  readonly session?: SessionTurn
}

export interface OfGroup {
  readonly group_name: string
}
