/**
 * Which files a run is made of, by their digests, and where the references between them lead. Every start of a run tells
 * them in its log, so that whoever goes on with the run can prove that the copies in its folder are still what ran. Pure.
 */
import { Option, Schema } from "effect"
import { Pin, pinOf } from "../domain/Pin.ts"
import { ResolvedReference } from "../domain/ResolvedReference.ts"
import { ResolvedSource } from "../domain/ResolvedSource.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { RunSpec } from "./RunSpec.ts"
import type { PinnedFile } from "./RunStore.ts"

export interface WorkflowPins {
  readonly workflow: Pin
  /** By absolute path: what the workflow includes, its sub-workflows, and what those include. */
  readonly included: Readonly<Record<string, Pin>>
  readonly references: ReadonlyArray<ResolvedReference>
  readonly sources: ReadonlyArray<ResolvedSource>
}

const Told = Schema.Struct({
  workflow_pin: Pin,
  included_files: Schema.Record({ key: Schema.String, value: Pin }),
  resolved_references: Schema.optionalWith(Schema.Array(ResolvedReference), { default: () => [] }),
  resolved_sources: Schema.optionalWith(Schema.Array(ResolvedSource), { default: () => [] })
})
const decodeTold = Schema.decodeUnknownOption(Told)

export const pinsOfFiles = (files: ReadonlyArray<PinnedFile>): Readonly<Record<string, Pin>> =>
  Object.fromEntries(files.map(({ content, path }) => [path, pinOf(content)]))

/** For the `system` part of `workflow_started`. */
export const pinFacts = ({ included, references, sources, workflow }: WorkflowPins): ValueMap => ({
  workflow_pin: workflow,
  included_files: { ...included },
  resolved_references: references.map((reference) => ({ ...reference })),
  ...(sources.length === 0 ? {} : { resolved_sources: sources.map((source) => ({ ...source })) })
})

/** What a start of a run told. */
export const toldPins = (event: RunEvent): Option.Option<WorkflowPins> =>
  event.type === "workflow_started"
    ? Option.map(decodeTold(event.data.system), (told) => ({
        workflow: told.workflow_pin,
        included: told.included_files,
        references: told.resolved_references,
        sources: told.resolved_sources
      }))
    : Option.none()

/** What the run is made of now: as its own last start told, or as it was prepared. Starts of another run are copies. */
export const presentPins = (spec: RunSpec, history: ReadonlyArray<RunEvent>): WorkflowPins => {
  const last = history.findLast(
    (event) => event.type === "workflow_started" && event.data.run_id === spec.run_id && Option.isSome(toldPins(event))
  )
  return Option.fromNullable(last).pipe(
    Option.flatMap(toldPins),
    Option.getOrElse(() => ({
      workflow: spec.workflow.pin,
      included: spec.included_files ?? {},
      references: spec.resolved_references ?? [],
      sources: spec.resolved_sources ?? []
    }))
  )
}
