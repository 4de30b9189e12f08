/** Adds registries to a home, one after another: `<home> <folder> <name>…`. Run as a process of its own. */
import { Effect, Layer } from "effect"
import { Home } from "../../../src/platform/Home.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"

const [home = "", folder = "", ...names] = process.argv.slice(2).filter((argument) => argument !== "--")

const program = Effect.gen(function* () {
  const config = yield* RegistriesConfig
  yield* Effect.forEach(names, (name) => config.add({ name, source: folder, workingDirectory: folder }))
})

await Effect.runPromise(Effect.provide(program, RegistriesConfig.layer.pipe(Layer.provide(Home.layerAt(home)))))
