// One run on the real engine with its real log, in a home of its own; measured at every thousandth event.
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer } from "effect"
import { mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import { RunId } from "../../../src/domain/RunId.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { Home } from "../../../src/platform/Home.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"
import { EventLog, type EventWriter } from "../../../src/runs/EventLog.ts"
import * as FileEventLog from "../../../src/runs/FileEventLog.ts"
import { runFiles } from "../../../src/runs/RunFiles.ts"
import { runSession } from "../../../src/runs/RunSession.ts"

const runId = RunId.make("b000000001")

const logOf = (home: string): string => runFiles(join(home, "store", "runs"), runId).events

interface Sample {
  readonly events: number
  /** Since the first event. */
  readonly wallMilliseconds: number
  /** Of all threads of this process, since the first event. */
  readonly cpuMilliseconds: number
}

const cpuMilliseconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** Of this program alone: what the system tells of a process counts the memory of its starter, too. */
const peakMebibytes = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024

const every = 1000

const sampling = (writer: EventWriter) => {
  const samples: Array<Sample> = []
  let begun = { wall: 0, cpu: 0 }
  let events = 0
  const look = () => {
    if (events === 0) begun = { wall: performance.now(), cpu: cpuMilliseconds() }
    samples.push({
      events,
      wallMilliseconds: performance.now() - begun.wall,
      cpuMilliseconds: cpuMilliseconds() - begun.cpu
    })
  }
  const append: EventWriter["append"] = (type, data) =>
    Effect.tap(
      Effect.suspend(() => {
        if (events === 0) look()
        return writer.append(type, data)
      }),
      () => {
        events += 1
        if (events % every === 0) look()
      }
    )
  return { samples, look, writer: { ...writer, append } }
}

/** The limit of iterations in the file is lifted: it is what keeps such runs from happening. */
export const measureRun = (text: string, home: string) =>
  Effect.gen(function* () {
    mkdirSync(join(home, "store", "runs", runId), { recursive: true })
    const compiled = compilePlan(yield* loadWorkflowText(text))
    const plan = { ...compiled, limits: { ...compiled.limits, max_iterations: 1_000_000 } }
    const log = yield* EventLog
    const { look, samples, writer } = sampling(yield* log.write(runId))
    const end = yield* runSession({
      request: { runId, plan, inputs: {}, metadata: {} },
      writer,
      engine: EngineLive.pipe(
        Layer.provide([
          ScriptedAgents.layer({}),
          ProcessRunner.layer({ runId }),
          FileWorkflowResolver.layer,
          Environment.layerProcess
        ]),
        Layer.provide([NodeContext.layer, Environment.layerProcess])
      ),
      onStarted: Effect.void,
      stopRequested: Effect.never
    })
    if (end._tag !== "Completed") return yield* Effect.dieMessage(`The run did not complete: ${JSON.stringify(end)}`)
    look()
    return {
      samples,
      bytes: statSync(logOf(home)).size,
      residentMebibytes: peakMebibytes()
    }
  }).pipe(
    Effect.scoped,
    Effect.provide([Layer.provide(FileEventLog.layer, Home.layerAt(home)), NodeContext.layer, Environment.layerProcess])
  )
