/**
 * The one shape in which every tool speaks of a run, in every state. Hosts check each result against it, so a field may
 * only be required when it is there even in a refusal.
 */
import type { JsonSchema } from "../../catalogue/CatalogueEntry.ts"
import type { RunStatus } from "../../domain/RunStatus.ts"

/** Written out, since the vocabulary's own list comes with Effect; the type makes it complete. */
const statuses = {
  running: true,
  awaiting_gate: true,
  paused: true,
  completed: true,
  failed: true,
  cancelled: true,
  lost: true
} satisfies Record<RunStatus, true>

export const statusSchema = (description: string): JsonSchema => ({
  type: "string",
  enum: Object.keys(statuses),
  description
})

const text = (description: string): JsonSchema => ({ type: "string", description })
const count = (description: string): JsonSchema => ({ type: "integer", description })
const record = (description: string, properties: JsonSchema, required: ReadonlyArray<string>): JsonSchema => ({
  type: "object",
  description,
  properties,
  required,
  additionalProperties: false
})

export const errorSchema = record(
  "Why the run ended, or why the call could not be done.",
  {
    type: text("The kind of error."),
    message: text("What went wrong."),
    step: text("The step that failed.")
  },
  ["type", "message"]
)

export const nextSchema = text("What to do now.")

const anyOutput: JsonSchema = { type: "object", description: "The result of the run." }

/** A schema that says something of the value takes the place of the open one. */
const outputOf = (outputSchema: JsonSchema | undefined): JsonSchema =>
  outputSchema === undefined || outputSchema["type"] !== "object" ? anyOutput : { ...anyOutput, ...outputSchema }

/** `outputSchema` is that of the workflow's own output, when it is known. */
export const runEnvelope = (outputSchema?: JsonSchema): JsonSchema => ({
  type: "object",
  properties: {
    run_id: text("The name of the run; absent when none was started."),
    status: statusSchema("The state of the run."),
    workflow: record(
      "What exactly is run.",
      {
        name: text("Name of the workflow."),
        registry: text("Where it comes from."),
        pin: text("Digest of the workflow file.")
      },
      ["name", "registry", "pin"]
    ),
    started_at: text("ISO 8601, UTC."),
    url: text("Where a person can watch the run; absent when there is no such place."),
    output: outputOf(outputSchema),
    output_preview: record(
      "A part of an output that is too large to give at once, or that is not of the announced type: its JSON text.",
      {
        text: text("The part."),
        offset: count("Where the part begins, in bytes of UTF-8."),
        total_bytes: count("Size of the whole JSON text."),
        next_offset: count("Where the next part begins; absent after the last one.")
      },
      ["text", "offset", "total_bytes"]
    ),
    error: errorSchema,
    gate: record(
      "The question that the run waits for a person to answer.",
      {
        step: text("The step that asks."),
        prompt: text("The question."),
        options: {
          type: "array",
          items: record(
            "An answer.",
            {
              value: text("What to answer with."),
              label: text("What it means, when that is not the value."),
              prompt_for: text("The text that has to come with it.")
            },
            ["value"]
          ),
          description: "The possible answers."
        }
      },
      ["step", "prompt", "options"]
    ),
    progress: record(
      "How far the run is.",
      {
        step: text("The step that runs now, or ran last."),
        steps_completed: count("Steps done; a loop may do more than there are."),
        steps_total: count("Steps of the workflow."),
        input_tokens: count("Tokens read by models."),
        output_tokens: count("Tokens written by models."),
        cost_usd: { type: "number", description: "Price of the models so far, where it is known." }
      },
      ["steps_completed", "steps_total"]
    ),
    cancellation: record(
      "What came of a request to cancel.",
      {
        outcome: { type: "string", enum: ["cancelled", "already_finished", "survived"], description: "What happened." },
        rung: {
          type: "string",
          enum: ["inbox", "terminate", "kill"],
          description: "What it took: the run ended itself, a signal to terminate, or a kill."
        }
      },
      ["outcome"]
    ),
    logs: record(
      "Files of the run on the machine of the server.",
      { events: text("Event log."), stdout: text("Standard output."), stderr: text("Standard error.") },
      ["events", "stdout", "stderr"]
    ),
    warnings: { type: "array", items: { type: "string" }, description: "What went wrong beside the run." },
    next: nextSchema
  },
  required: ["next"],
  additionalProperties: false
})
