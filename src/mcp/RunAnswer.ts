/**
 * A run as a tool result. Everything foreign in it passes the boundary here, once, and is cut to size only afterwards:
 * a secret that a cut divides would not be recognised.
 */
import type { BoundaryShape } from "../boundary/Boundary.ts"
import type { JsonSchema } from "../catalogue/CatalogueEntry.ts"
import type { Json } from "../domain/Value.ts"
import type { RunProgress, RunView } from "../runs/RunView.ts"
import type { CleanOutput, OutputCleaner } from "./CleanOutput.ts"
import { nextStep } from "./NextStep.ts"
import { fitsSchema } from "./OutputFit.ts"
import type { Toolset } from "./ServeFlags.ts"
import { shorterPage, type TextPage, textPage } from "./TextPage.ts"
import type { JsonObject, ToolResult } from "./ToolSurface.ts"

/** Bytes of JSON text up to which an output is given whole: beyond it some hosts cut or refuse a result (mcp hosts §4.1). */
const largestInlineOutput = 32_768
/** Bytes of the text block: hosts that show a model only text show at least this much. */
export const largestText = 8_192

const previewSize = 4_096
const largestName = 200
const largestMessage = 3_072
const largestWarning = 500
const mostWarnings = 3
const mostOptions = 16
/** Together they keep a gate within the text block. */
const largestPrompt = 2_048
const largestLabel = 80

interface Cancellation {
  readonly outcome: "cancelled" | "already_finished" | "survived"
  readonly rung?: "inbox" | "terminate" | "kill"
}

/** What is the same for all answers of a server. */
export interface AnswerSettings {
  readonly boundary: BoundaryShape
  readonly toolsets: ReadonlyArray<Toolset>
  readonly cleanOutput: OutputCleaner
}

export interface AnswerOptions {
  /** The announced schema of the output, when it is known. */
  readonly outputSchema?: JsonSchema
  /** Give this part of the output's text instead of the output. */
  readonly page?: { readonly offset: number; readonly limit: number }
  readonly cancellation?: Cancellation
  /** Takes the place of the error of the run: the call could not do what it was asked to. */
  readonly refusal?: { readonly type: string; readonly message: string }
}

type Output =
  | { readonly _tag: "None" }
  | { readonly _tag: "Whole"; readonly value: Json; readonly text: string }
  | { readonly _tag: "Part"; readonly page: TextPage }

const outputOf = (clean: CleanOutput | undefined, { outputSchema, page }: AnswerOptions): Output => {
  if (clean === undefined) return { _tag: "None" }
  const { value, text } = clean
  if (page !== undefined) return { _tag: "Part", page: textPage(text, page.offset, page.limit) }
  const inline = Buffer.byteLength(text) <= largestInlineOutput && fitsSchema(outputSchema ?? {}, value)
  return inline ? { _tag: "Whole", value, text } : { _tag: "Part", page: textPage(text, 0, previewSize) }
}

const outputFields = (output: Output): JsonObject => {
  switch (output._tag) {
    case "None":
      return {}
    case "Whole":
      return { output: output.value }
    case "Part":
      return { output_preview: { ...output.page } }
  }
}

const progressOf = ({ step, stepsCompleted, stepsTotal, usage }: RunProgress, boundary: BoundaryShape): JsonObject => ({
  ...(step === null ? {} : { step: boundary.text(step, { maxBytes: largestName }) }),
  steps_completed: stepsCompleted,
  steps_total: stepsTotal,
  ...(usage.input_tokens + usage.output_tokens === 0
    ? {}
    : {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        ...(usage.cost_usd === null ? {} : { cost_usd: usage.cost_usd })
      })
})

const errorOf = (view: RunView, boundary: BoundaryShape, refusal: AnswerOptions["refusal"]): JsonObject => {
  if (refusal !== undefined) return { error: { ...refusal } }
  if (view.error === undefined) return {}
  const { type, message, step } = view.error
  return {
    error: {
      type: boundary.text(type, { maxBytes: largestName }),
      message: boundary.text(message, { maxBytes: largestMessage }),
      ...(step === null ? {} : { step: boundary.text(step, { maxBytes: largestName }) })
    }
  }
}

/** Free of routes and ids: a person answers, and the model only tells what there is to choose from. */
const gateOf = ({ gate }: RunView, boundary: BoundaryShape): JsonObject => {
  if (gate === undefined) return {}
  const name = (text: string) => boundary.text(text, { maxBytes: largestName })
  return {
    gate: {
      step: name(gate.step),
      prompt: boundary.text(gate.prompt, { maxBytes: largestPrompt }),
      options: gate.options.slice(0, mostOptions).map(({ label, promptFor, value }) => ({
        value: name(value),
        ...(label === value ? {} : { label: boundary.text(label, { maxBytes: largestLabel }) }),
        ...(promptFor === undefined ? {} : { prompt_for: name(promptFor) })
      }))
    }
  }
}

const warningsOf = (view: RunView, boundary: BoundaryShape): JsonObject =>
  view.warnings.length === 0
    ? {}
    : {
        warnings: view.warnings
          .slice(0, mostWarnings)
          .map((warning) => boundary.text(warning, { maxBytes: largestWarning }))
      }

const sizeOf = (value: JsonObject): number => Buffer.byteLength(JSON.stringify(value))

/** The text block: the same facts, with as much of the output as fits. Its `next` says where reading on begins. */
const textOf = (render: (output: Output) => JsonObject, output: Output): string => {
  const whole = JSON.stringify(render(output))
  if (output._tag === "None" || Buffer.byteLength(whole) <= largestText) return whole
  const page = output._tag === "Part" ? output.page : textPage(output.text, 0, largestText)
  const frame = { ...page, text: "", next_offset: page.total_bytes }
  const room = largestText - sizeOf(render({ _tag: "Part", page: frame }))
  return JSON.stringify(render({ _tag: "Part", page: shorterPage(page, Math.max(room, 2)) }))
}

export const runAnswer = (view: RunView, settings: AnswerSettings, options: AnswerOptions): ToolResult => {
  const { boundary, toolsets, cleanOutput } = settings
  const { cancellation, refusal } = options
  const { runId, status, workflow, startedAt, files } = view
  const head: JsonObject = {
    run_id: runId,
    status,
    workflow: {
      name: boundary.text(workflow.name, { maxBytes: largestName }),
      registry: boundary.text(workflow.registry, { maxBytes: largestName }),
      pin: workflow.pin
    },
    started_at: startedAt
  }
  const tail: JsonObject = {
    ...errorOf(view, boundary, refusal),
    ...gateOf(view, boundary),
    progress: progressOf(view.progress, boundary),
    ...(cancellation === undefined ? {} : { cancellation: { ...cancellation } }),
    ...(status === "completed" ? {} : { logs: { events: files.events, stdout: files.stdout, stderr: files.stderr } }),
    ...warningsOf(view, boundary)
  }
  const render = (output: Output): JsonObject => {
    const nextOffset = output._tag === "Part" ? output.page.next_offset : undefined
    const shown = nextOffset === undefined ? {} : { nextOffset }
    return { ...head, ...outputFields(output), ...tail, next: nextStep(view, shown, toolsets) }
  }
  const output = outputOf(cleanOutput(view), options)
  return { structuredContent: render(output), text: textOf(render, output), isError: refusal !== undefined }
}
