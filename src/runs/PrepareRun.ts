/** From the spec of a run to what the engine needs: the workflow loaded and compiled, the inputs read and complete. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Either, Option } from "effect"
import type { SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import { Pin, pinOf } from "../domain/Pin.ts"
import { get, isMap, parseStoredJson, type Value, type ValueMap } from "../domain/Value.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunRequest } from "../engine/Engine.ts"
import { promptFiles } from "../engine/PromptFiles.ts"
import { subWorkflows } from "../engine/SubWorkflows.ts"
import { evolve } from "../engine/Evolve.ts"
import { currentNode, initialState } from "../engine/State.ts"
import { instructionText } from "../language/instructions/InstructionText.ts"
import { loadWorkflow, type LoadedWorkflow } from "../language/Loader.ts"
import { compilePlan, type Plan } from "../language/Plan.ts"
import { fetchSources } from "../language/plugins/FetchSources.ts"
import { planFiles } from "../language/PlanFiles.ts"
import { Environment } from "../platform/Environment.ts"
import { LaunchError } from "./RunErrors.ts"
import { restoreSecrets, runSecrets } from "./RunSecrets.ts"
import type { RunSpec } from "./RunSpec.ts"
import type { PinnedFile } from "./RunStore.ts"
import { pinFacts, pinsOfFiles } from "./WorkflowPins.ts"

export interface RunCircumstances {
  readonly system: ValueMap
  /** Absolute; left out where events are not kept in a file. */
  readonly logFile?: string
  /** What the run has behind it. */
  readonly history?: ReadonlyArray<RunEvent>
  /** The digest that the workflow file must have: left out, that of the spec; none: whatever it is now. */
  readonly pin?: Option.Option<Pin>
}

interface PreparedRun {
  readonly request: RunRequest
  readonly workflow: PinnedFile
  /** The rest of its closure: what it includes, its sub-workflows and its prompts' files, as loaded a moment ago. */
  readonly included: ReadonlyArray<PinnedFile>
  /** What must not be written down. */
  readonly secrets: SecretPlaceholders
}

const refuse = (reason: LaunchError["reason"], message: string) => new LaunchError({ reason, message })

const readInputs = Effect.fnUntraced(function* ({ inputs, run_id }: RunSpec, secrets: SecretPlaceholders) {
  const written = yield* Effect.try({
    try: (): Value => parseStoredJson(inputs),
    catch: (cause) => refuse("inputs", `The inputs of the run are no JSON text: ${String(cause)}`)
  })
  const value = yield* restoreSecrets(secrets, run_id, written)
  return isMap(value) ? value : yield* refuse("inputs", "The inputs of the run are no JSON object.")
})

const checkRequired = Effect.fnUntraced(function* ({ inputs: declared, name }: Plan, given: ValueMap) {
  const missing = Object.entries(declared).filter(
    ([input, { default: fallback, required }]) => required && fallback === undefined && get(given, input) === undefined
  )
  if (missing.length === 0) return
  const list = missing.map(([input, { type }]) => `'${input}' (${type})`).join(", ")
  return yield* refuse("inputs", `Workflow '${name}' requires inputs that were not given: ${list}.`)
})

const readFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem
  return yield* files.readFile(path).pipe(
    Effect.map((content): PinnedFile => ({ path, content })),
    Effect.mapError((error) => refuse("workflow", `The file ${path} of the workflow cannot be read: ${error.message}`))
  )
})

/** A run that goes on with a changed workflow needs the node that it stopped at. */
const checkPlace = Effect.fnUntraced(function* ({ limits, name, nodes }: Plan, history: ReadonlyArray<RunEvent>) {
  const node = currentNode(history.reduce(evolve, initialState(limits.max_iterations)))
  if (node === null || nodes.has(node)) return
  const known = [...nodes.keys()].join(", ")
  return yield* refuse(
    "workflow",
    `The run stopped at step '${node}', which workflow '${name}' does not have any more. It has: ${known}.`
  )
})

/** For all that a run reads and fetches before it starts: shorter than a start may take, so that the reason is told. */
const CLOSURE_LIMIT = "27 seconds"

const tooSlow = () =>
  refuse(
    "workflow",
    `What the workflow names could not be fetched within ${CLOSURE_LIMIT}. Try again, or clone the repositories and name ` +
      "their folders."
  )

/** What a run is made of besides its workflow file; a sub-workflow that cannot be read fails where a step wants to run it. */
const closureOf = Effect.fnUntraced(function* (
  plan: Plan,
  { includedFiles, path }: LoadedWorkflow,
  { instructions: { given, workspace } = { given: [], workspace: [] } }: RunSpec
) {
  const { references, workflows } = yield* subWorkflows(plan)
  const resolved = workflows.flatMap(({ resolved }) => Option.toArray(Either.getRight(resolved)))
  const plans = [plan, ...resolved.map((below) => below.plan)]
  const sources = yield* fetchSources(plans)
  const prompts = yield* Effect.forEach(plans, promptFiles)
  const assets = yield* Effect.forEach(plans, planFiles)
  const below = resolved.flatMap(({ files }) => files)
  const files = new Set([...includedFiles, ...below, ...prompts.flat(), ...assets.flat(), ...workspace, ...given])
  files.delete(path)
  return { references, sources, included: yield* Effect.forEach([...files], readFile) }
})

/** The plan with what the workspace and the caller say to all agents around what the workflow itself says (workflow language §5.14). */
const instructed = Effect.fnUntraced(function* (plan: Plan, { instructions, launch_directory }: RunSpec) {
  if (instructions === undefined) return plan
  const read = (paths: ReadonlyArray<string>) =>
    Effect.forEach(paths, (path) =>
      Effect.mapError(instructionText(path, launch_directory), ({ message }) =>
        refuse("workflow", `The instructions ${path} cannot be read: ${message}`)
      )
    )
  const { given, workspace } = instructions
  return { ...plan, instructions: [...(yield* read(workspace)), ...plan.instructions, ...(yield* read(given))] }
})

/** With the secrets, which are not written down. Only texts inside change, so the shape stays. */
const restored = <A>(secrets: SecretPlaceholders, { run_id }: RunSpec, written: A): Either.Either<A, LaunchError> =>
  Either.map(restoreSecrets(secrets, run_id, written as unknown as Value), (value) => value as unknown as A)

/** Fails when the workflow cannot be used, is not the one that was pinned, lacks a required input, or when secrets are missing. */
export const prepareRun = Effect.fn("PrepareRun.prepare")(function* (
  spec: RunSpec,
  { history: written = [], logFile, pin = Option.some(spec.workflow.pin), system }: RunCircumstances
) {
  const loaded = yield* Effect.mapError(loadWorkflow(spec.workflow.file), ({ message }) => refuse("workflow", message))
  const workflow = yield* readFile(loaded.path)
  const actual = Pin.make(`sha256:${loaded.digest}`)
  if (actual !== Option.getOrElse(pin, () => pinOf(workflow.content))) {
    return yield* refuse(
      "drift",
      `The workflow file ${spec.workflow.file} changed while the run was being started. Start it again.`
    )
  }
  const plan = yield* instructed(compilePlan(loaded), spec)
  const { variables } = yield* Environment
  const secrets = runSecrets(variables, plan)
  const history = yield* restored(secrets, spec, written)
  const metadata = yield* restored(secrets, spec, spec.metadata)
  const inputs = yield* readInputs(spec, secrets)
  yield* checkRequired(plan, inputs)
  yield* checkPlace(plan, history)
  const { included, references, sources } = yield* Effect.timeoutFail(closureOf(plan, loaded, spec), {
    duration: CLOSURE_LIMIT,
    onTimeout: tooSlow
  })
  const request: RunRequest = {
    runId: spec.run_id,
    plan,
    inputs,
    metadata,
    ...Option.match(Option.fromNullable(spec.provider), {
      onNone: () => ({}),
      onSome: (provider) => ({ provider })
    }),
    ...(spec.gates === undefined ? {} : { gates: spec.gates }),
    system: { ...system, ...pinFacts({ workflow: actual, included: pinsOfFiles(included), references, sources }) },
    ...(logFile === undefined ? {} : { logFile }),
    source: loaded.source,
    history
  }
  return { request, workflow, included, secrets } satisfies PreparedRun
})
