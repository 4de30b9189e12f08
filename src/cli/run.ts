/** `conductor run <workflow>`: starts a run in its own process, shows it, and prints its output. */
import { Effect, Either } from "effect"
import { loadWorkflow } from "../language/Loader.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"
import { misused } from "./CliFailure.ts"
import { Output, shown } from "./output/Output.ts"
import { resolveWorkflow, type LocatedWorkflow } from "./ResolveWorkflow.ts"
import { runInputs } from "./RunInputs.ts"
import { followRun, printEnd } from "./runs/FollowRun.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

type RunCall = Call<Verbs["run"]>

const readInputs = (located: LocatedWorkflow, options: RunCall) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { document } = yield* loadWorkflow(located.file)
    const read = runInputs(document.workflow.input, { texts: options.input, jsons: options["input-json"] })
    if (Either.isLeft(read)) return yield* misused(read.left.join("\n"))
    for (const note of read.right.notes)
      yield* output.report(output.errorStyle.yellow(`note: ${shown(note)}; it is passed on`))
    return read.right.inputs
  })

export const run = (options: RunCall) =>
  Effect.gen(function* () {
    const launcher = yield* RunLauncher
    const located = yield* resolveWorkflow(options.workflow)
    const inputs = yield* readInputs(located, options)
    const started = yield* launcher.launch({
      ...located,
      inputs,
      metadata: {},
      launchDirectory: process.cwd(),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options["skip-gates"] ? { gates: "skip" as const } : {}),
      provenance: { via: "cli" }
    })
    yield* printEnd(yield* followRun(started))
  })
