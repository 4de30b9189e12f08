/** From candidates to the frozen list of what is served: names, exposure, schemas, descriptions. Pure and total. */
import { Either } from "effect"
import { sanitiseDescription } from "../boundary/Sanitiser.ts"
import type { Candidate } from "./Candidate.ts"
import type { CatalogueContents, CatalogueEntry, ExcludedEntry } from "./CatalogueEntry.ts"
import type { CatalogueOptions } from "./CatalogueOptions.ts"
import { decideExposure, exposureRules } from "./Exposure.ts"
import { WAIT_SECONDS } from "./ParameterNames.ts"
import { toolDescription } from "./ToolDescription.ts"
import { permissiveToolInput, takesReservedParameter, type ToolInput, toolInput } from "./ToolInputSchema.ts"
import { toolNames } from "./ToolNames.ts"
import { toolOutputSchema } from "./ToolOutputSchema.ts"

/** One workflow may not make the list of tools so long that a host refuses all of it. */
const LARGEST_INPUT_SCHEMA = 64 * 1024

const inputOf = ({ inputs }: Candidate): Either.Either<ToolInput, string> =>
  Either.flatMap(inputs, (definitions) => {
    const input = toolInput(definitions)
    const size = Buffer.byteLength(JSON.stringify(input.schema))
    return size <= LARGEST_INPUT_SCHEMA
      ? Either.right(input)
      : Either.left(`their schema has ${size} bytes, the limit is ${LARGEST_INPUT_SCHEMA}`)
  })

const entryOf = (candidate: Candidate, tool: string, exposedBy: string): CatalogueEntry => {
  const { file, key, mcp, outputs, pin, registry } = candidate
  const input = inputOf(candidate)
  const degraded = Either.isLeft(input) ? input.left : undefined
  const title = sanitiseDescription(candidate.name) || key
  const { parameters, schema } = Either.getOrElse(input, () => permissiveToolInput)
  return {
    tool,
    registry,
    key,
    title,
    description: toolDescription({
      title,
      description: candidate.description,
      mode: mcp.mode,
      estimatedMinutes: mcp.estimated_minutes,
      degraded
    }),
    file,
    pin,
    mode: mcp.mode,
    ...(mcp.read_only === undefined ? {} : { readOnly: mcp.read_only }),
    ...(mcp.destructive === undefined ? {} : { destructive: mcp.destructive }),
    inputSchema: schema,
    parameters,
    outputSchema: outputs === undefined ? {} : toolOutputSchema(outputs),
    ...(degraded === undefined ? {} : { degraded }),
    exposedBy
  }
}

const reservedInput = `its input '${WAIT_SECONDS}' has the name of a parameter that every tool has; rename the input`

type Decision = Either.Either<CatalogueEntry, ExcludedEntry>

/** Files that are listed twice under one name of a folder count once. */
const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => [
  ...new Map(
    candidates.map((candidate) => [JSON.stringify([candidate.registry, candidate.key, candidate.file]), candidate])
  ).values()
]

const byText =
  <A>(text: (item: A) => string) =>
  (left: A, right: A): number =>
    text(left) < text(right) ? -1 : text(left) > text(right) ? 1 : 0

/** `excluded` and `warnings` are what was found out before there was a candidate. */
export const assembleCatalogue = (
  candidates: ReadonlyArray<Candidate>,
  options: CatalogueOptions,
  found: Pick<CatalogueContents, "excluded" | "warnings">
): CatalogueContents => {
  const workflows = distinct(candidates)
  const names = toolNames(workflows, options)
  const rules = exposureRules(options)
  const decisions = workflows.map((candidate): Decision => {
    const { declared, key, registry } = candidate
    const tool = names.nameOf(candidate)
    const exposure = decideExposure(rules, { registry, key, tool, declared })
    if (exposure._tag === "Excluded") {
      return Either.left({ registry, key, rung: exposure.rung, reason: exposure.reason })
    }
    return Either.getOrElse(Either.map(candidate.inputs, takesReservedParameter), () => false)
      ? Either.left({ registry, key, rung: "rejected", reason: reservedInput })
      : Either.right(entryOf(candidate, tool, exposure.exposedBy))
  })
  const entries = decisions.flatMap((decision) => (Either.isRight(decision) ? [decision.right] : []))
  const excluded = decisions.flatMap((decision) => (Either.isLeft(decision) ? [decision.left] : []))
  return {
    entries: entries.sort(byText(({ tool }) => tool)),
    excluded: [...found.excluded, ...excluded].sort(byText(({ key, registry }) => `${registry}/${key}`)),
    collisions: names.collisions,
    warnings: found.warnings,
    mode: entries.length > options.maxDirectTools ? "discovery" : "direct"
  }
}
