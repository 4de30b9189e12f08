/** What each command does, behind an `import()` of its own with the services that it needs, so that it loads no others. */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import type { Environment } from "../platform/Environment.ts"
import type { Home } from "../platform/Home.ts"
import type { RunEntry } from "../runs/RunEntry.ts"
import type { CommandCall } from "./CommandLine.ts"
import type { Interrupts } from "./Interrupts.ts"
import type { Output } from "./output/Output.ts"
import type { Call } from "./Verb.ts"
import type { VerbName, Verbs } from "./Verbs.ts"

/** Every expected failure has a message for people. */
export interface CommandFailure {
  readonly _tag: string
  readonly message: string
}

/** What is there for every command because it costs nothing to load. */
type CommandServices = Output | Interrupts | Environment | Home | RunEntry | FileSystem | Path

type Command = Effect.Effect<void, CommandFailure, CommandServices>

type Handlers = {
  readonly [Name in VerbName]: (options: Call<Verbs[Name]>) => Promise<Command>
}

const loadRuns = () => import("../runs/RunsLive.ts").then(({ layer }) => layer)
const loadRegistries = () => import("../registries/RegistriesLive.ts").then(({ RegistriesLive }) => RegistriesLive)

const loadKeyboard = () => import("./follow/Keyboard.ts").then(({ Keyboard }) => Keyboard.layerProcess)

const handlers: Handlers = {
  run: async (options) => {
    const [{ run }, runs, registries, keyboard] = await Promise.all([
      import("./run.ts"),
      loadRuns(),
      loadRegistries(),
      loadKeyboard()
    ])
    return run(options).pipe(Effect.provide([runs, registries, keyboard]))
  },
  resume: async (options) => {
    const [{ resume }, runs, keyboard] = await Promise.all([import("./resume.ts"), loadRuns(), loadKeyboard()])
    return resume(options).pipe(Effect.provide([runs, keyboard]))
  },
  status: async (options) => {
    const [{ status }, runs] = await Promise.all([import("./status.ts"), loadRuns()])
    return status(options).pipe(Effect.provide(runs))
  },
  stop: async (options) => {
    const [{ stop }, runs] = await Promise.all([import("./stop.ts"), loadRuns()])
    return stop(options).pipe(Effect.provide(runs))
  },
  logs: async (options) => {
    const [{ logs }, runs] = await Promise.all([import("./logs.ts"), loadRuns()])
    return logs(options).pipe(Effect.provide(runs))
  },
  gateList: async (options) => {
    const [{ listGates }, runs] = await Promise.all([import("./gate/list.ts"), loadRuns()])
    return listGates(options).pipe(Effect.provide(runs))
  },
  gateRespond: async (options) => {
    const [{ respondToGate }, runs] = await Promise.all([import("./gate/respond.ts"), loadRuns()])
    return respondToGate(options).pipe(Effect.provide(runs))
  },
  guide: async (options) => {
    const [{ guide }, runs] = await Promise.all([import("./guide.ts"), loadRuns()])
    return guide(options).pipe(Effect.provide(runs))
  },
  runsList: async (options) => {
    const [{ listRuns }, runs] = await Promise.all([import("./runs/list.ts"), loadRuns()])
    return listRuns(options).pipe(Effect.provide(runs))
  },
  runsFork: async (options) => {
    const [{ fork }, runs, keyboard] = await Promise.all([import("./runs/fork.ts"), loadRuns(), loadKeyboard()])
    return fork(options).pipe(Effect.provide([runs, keyboard]))
  },
  runsReindex: async (options) => {
    const [{ reindex }, runs] = await Promise.all([import("./runs/reindex.ts"), loadRuns()])
    return reindex(options).pipe(Effect.provide(runs))
  },
  validate: async (options) => {
    const [{ validate }, registries] = await Promise.all([import("./validate.ts"), loadRegistries()])
    return validate(options).pipe(Effect.provide(registries))
  },
  show: async (options) => {
    const [{ show }, registries] = await Promise.all([import("./show.ts"), loadRegistries()])
    return show(options).pipe(Effect.provide(registries))
  },
  registryList: async (options) => {
    const [{ listRegistry }, registries] = await Promise.all([import("./registry/list.ts"), loadRegistries()])
    return listRegistry(options).pipe(Effect.provide(registries))
  },
  registryAdd: async (options) => {
    const [{ addRegistry }, registries] = await Promise.all([import("./registry/change.ts"), loadRegistries()])
    return addRegistry(options).pipe(Effect.provide(registries))
  },
  registryRemove: async (options) => {
    const [{ removeRegistry }, registries] = await Promise.all([import("./registry/change.ts"), loadRegistries()])
    return removeRegistry(options).pipe(Effect.provide(registries))
  },
  registrySetDefault: async (options) => {
    const [{ setDefaultRegistry }, registries] = await Promise.all([import("./registry/change.ts"), loadRegistries()])
    return setDefaultRegistry(options).pipe(Effect.provide(registries))
  },
  doctor: async (options) => {
    const [{ doctor }, { ProcessRunner }, runs, registries] = await Promise.all([
      import("./doctor.ts"),
      import("../platform/ProcessRunner.ts"),
      loadRuns(),
      loadRegistries()
    ])
    return doctor(options).pipe(Effect.provide([runs, registries, ProcessRunner.layer()]))
  }
}

export const open = <Name extends VerbName>(call: CommandCall<Name>): Promise<Command> =>
  handlers[call.name](call.options)
