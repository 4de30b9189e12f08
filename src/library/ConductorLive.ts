/** Everything that a program needs to run workflows as the command line does, in one layer. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Layer } from "effect"
import { fileURLToPath } from "node:url"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import * as PathRegistrySource from "../registries/PathRegistrySource.ts"
import { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import type { RegistrySource } from "../registries/RegistrySource.ts"
import type { Retention } from "../runs/Retention.ts"
import type { RunCancellation } from "../runs/RunCancellation.ts"
import { RunEntry } from "../runs/RunEntry.ts"
import type { RunGates } from "../runs/RunGates.ts"
import type { RunLauncher } from "../runs/RunLauncher.ts"
import type { RunResumption } from "../runs/RunResumption.ts"
import * as RunsLive from "../runs/RunsLive.ts"

/** The program of this package, which is built next to the library; the script of the embedding program is another one. */
export const packagedRunEntry: Layer.Layer<RunEntry> = Layer.sync(RunEntry, () => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("../main.cjs", import.meta.url))]
}))

export interface ConductorLiveOptions {
  /** Folder of runs and registries; left out: `$CONDUCTOR_HOME` or `~/.conductor`, as the command line has it. */
  readonly home?: string
}

/** Runs are detached processes: they outlive the program that started them. */
export const conductorLive = ({ home }: ConductorLiveOptions = {}): Layer.Layer<
  | RunsLive.RunRecords
  | RunLauncher
  | RunResumption
  | RunCancellation
  | RunGates
  | Retention
  | RegistriesConfig
  | RegistrySource
  | Home
  | Environment
  | FileSystem
  | Path
> =>
  Layer.mergeAll(RunsLive.layer, RegistriesConfig.layer, PathRegistrySource.layer).pipe(
    Layer.provide(packagedRunEntry),
    Layer.provideMerge(home === undefined ? Home.layer : Home.layerAt(home)),
    Layer.provideMerge(Layer.mergeAll(Environment.layerProcess, NodeFileSystem.layer, NodePath.layer))
  )
