/** Commands in this process: what they print is kept, their runs live in memory, their registries in a folder of the test. */
import { Effect, Layer } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exitCode, report } from "../../../src/cli/Execute.ts"
import { Keyboard } from "../../../src/cli/follow/Keyboard.ts"
import type { CommandFailure } from "../../../src/cli/Handlers.ts"
import { Interrupts } from "../../../src/cli/Interrupts.ts"
import { Output, type Recorded } from "../../../src/cli/output/Output.ts"
import { testWorkflows } from "../../../src/library/TestWorkflows.ts"
import { Home } from "../../../src/platform/Home.ts"
import * as PathRegistrySource from "../../../src/registries/PathRegistrySource.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"

const world = (folder: string, lines: Array<Recorded>) =>
  Layer.mergeAll(RegistriesConfig.layer, PathRegistrySource.layer).pipe(
    Layer.provideMerge(Home.layerAt(join(folder, "home"))),
    Layer.merge(testWorkflows({ environment: { PATH: process.env["PATH"] ?? "" } })),
    Layer.merge(Output.layerRecorder(lines)),
    Layer.merge(Interrupts.layerNone),
    Layer.merge(Keyboard.layerNobody)
  )

type Services = Layer.Layer.Success<ReturnType<typeof world>>

export type AnyCommand = Effect.Effect<unknown, CommandFailure, Services>

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandWorld {
  /** Absolute. */
  readonly folder: string
  /** Writes a file and gives its absolute path. */
  readonly write: (name: string, text: string) => Promise<string>
  /** One command after the other, in one world. */
  readonly perform: (...commands: ReadonlyArray<AnyCommand>) => Promise<ReadonlyArray<Outcome>>
  readonly remove: () => Promise<void>
}

export const makeCommandWorld = async (): Promise<CommandWorld> => {
  const folder = await mkdtemp(join(tmpdir(), "conductor-cli-"))
  const one = (command: AnyCommand, lines: Array<Recorded>) =>
    Effect.gen(function* () {
      lines.length = 0
      const exit = yield* Effect.exit(Effect.asVoid(Effect.tapErrorCause(command, report)))
      const textOf = (stream: Recorded["stream"]): string =>
        lines.flatMap((line) => (line.stream === stream ? [`${line.text}\n`] : [])).join("")
      return { code: exitCode(exit), stdout: textOf("stdout"), stderr: textOf("stderr") } satisfies Outcome
    })
  return {
    folder,
    write: async (name, text) => {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    },
    perform: (...commands) => {
      const lines: Array<Recorded> = []
      return Effect.runPromise(
        Effect.forEach(commands, (command) => one(command, lines)).pipe(Effect.provide(world(folder, lines)))
      )
    },
    remove: () => rm(folder, { recursive: true, force: true })
  }
}

/** The last outcome of several commands. */
export const last = (outcomes: ReadonlyArray<Outcome>): Outcome =>
  outcomes.at(-1) ?? { code: Number.NaN, stdout: "", stderr: "" }
