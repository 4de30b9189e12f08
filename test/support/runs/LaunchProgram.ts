/** A program that starts a run, prints its view and then, as its last argument says, leaves or stays until it is killed. */
import { Effect, Layer } from "effect"
import { Home } from "../../../src/platform/Home.ts"
import { RunEntry } from "../../../src/runs/RunEntry.ts"
import { RunLauncher } from "../../../src/runs/RunLauncher.ts"
import * as RunsLive from "../../../src/runs/RunsLive.ts"

const [, , root = "", script = "", file = "", directory = "", then = "leave"] = process.argv

const program = Effect.flatMap(RunLauncher, (launcher) =>
  launcher.launch({
    file,
    registry: "test",
    key: "example",
    inputs: {},
    metadata: {},
    launchDirectory: directory,
    provenance: { via: "cli" }
  })
).pipe(
  Effect.tap(({ runId }) => Effect.sync(() => process.stdout.write(`${runId}\n`))),
  Effect.provide(
    RunsLive.layer.pipe(Layer.provide(Layer.merge(Home.layerAt(root), RunEntry.layerOf(process.execPath, [script]))))
  )
)

void Effect.runPromise(program).then(() => {
  if (then === "stay") setInterval(() => {}, 1000)
})
