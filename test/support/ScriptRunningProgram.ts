/** A process that runs one shell script (first argument) as the run of the second argument would, for tests that kill it. */
import { Effect } from "effect"
import { ProcessRunner } from "../../src/platform/ProcessRunner.ts"

const [, , script = "true", runId = "run"] = process.argv

const program = Effect.flatMap(ProcessRunner, (runner) =>
  runner.run({ command: "sh", args: ["-c", script], env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" } })
).pipe(Effect.provide(ProcessRunner.layer({ runId })))

void Effect.runPromise(program)
