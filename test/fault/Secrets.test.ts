/** Secrets of the environment: a run works with them, its files do not have them, and it goes on only where they are. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import { RunResumption } from "../../src/runs/RunResumption.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { launch } from "../support/runs/Launches.ts"
import { detached } from "../support/runs/RunWorlds.ts"
import { Workspace } from "../support/runs/Workspace.ts"

const name = "CONDUCTOR_TEST_TOKEN"
const secret = 'tok-"4f9a" 2b7c1d'

/** The first step gives the secret away, the second works with it, and fails until there is a file `ready`. */
const giveaway = `
workflow:
  name: giveaway
  entry_point: say
  input: { token: { type: string, required: true } }
agents:
  - { name: say, type: script, command: sh, args: ["-c", 'echo "{\\"token\\": 1}" >&2; printf %s "$${name}"'], routes: [{ to: long }] }
  - { name: long, type: set, value: "{{ 'x' * 495 }}{{ say.output.stdout }}{{ 'y' * 99 }}", routes: [{ to: use }] }
  - name: use
    type: script
    command: sh
    args: ["-c", 'printf %s "$1" > used; test -e ready', sh, "{{ say.output.stdout }}+{{ workflow.input.token }}"]
    routes: [{ to: $end, when: "exit_code == 0" }]
output:
  said: "it was {{ say.output.stdout }}"
`

/** Its tool server tells the secret on its way out. */
const indiscreet = `
workflow:
  name: indiscreet
  entry_point: ask
  runtime: { mcp_servers: { teller: { command: sh, args: ["-c", 'printf "I have %s" "$T" >&2; exit 3'], env: { T: "\${${name}}" } } } }
agents: [{ name: ask, type: mcp, server: teller, tool: any }]
`

const withVariable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      process.env[name] = secret
    }),
    () => effect,
    () =>
      Effect.sync(() => {
        delete process.env[name]
      })
  )

const textsBelow = (folder: string): ReadonlyArray<readonly [file: string, text: string]> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, "utf8")])

const resume = (runId: string) =>
  Effect.flatMap(RunResumption, (resumption) => resumption.resume(runId, { acceptChange: false, groups: "continue" }))

/** Whether some file has the secret, or the first eight characters of it. */
const leaksIn = (directory: string): ReadonlyArray<string> =>
  // Texts inside of JSON inside of JSON have backslashes of their own.
  textsBelow(directory)
    .filter(([, text]) => text.replaceAll("\\", "").includes(secret.slice(0, 8)))
    .map(([file]) => file)

describe("a run whose steps give a secret away", () => {
  it.live("keeps a placeholder in all of its files, shows it, and restores it when it goes on", () =>
    Effect.gen(function* () {
      const { folder } = yield* Workspace
      const store = yield* RunStore
      const failed = yield* withVariable(
        Effect.flatMap(launch(giveaway, { token: secret }), ({ runId }) => awaitRun(runId, "20 seconds"))
      )
      expect(failed.status).toBe("failed")
      const used = () => readFileSync(join(folder, "used"), "utf8")
      expect(used()).toBe(`${secret}+${secret}`)
      const { directory } = store.files(failed.runId)
      expect(leaksIn(directory)).toEqual([])
      const events = readFileSync(join(directory, "events.jsonl"), "utf8")
      expect(events).toContain(`⟦secret:${name}⟧`)
      expect(events).toMatch(new RegExp(`x⟦secret:${name}:[^⟧]*first-\\d+⟧\\.\\.\\.`))
      expect(readFileSync(join(directory, "run.json"), "utf8")).toContain(`⟦secret:${name}`)

      writeFileSync(join(folder, "ready"), "")
      const refused = yield* Effect.flip(resume(failed.runId))
      expect(refused).toMatchObject({ _tag: "LaunchError", reason: "environment" })
      expect(refused.message).toContain(`not set: ${name}.`)
      const monitor = yield* RunMonitor
      expect((yield* monitor.status(failed.runId)).lastEvent).toEqual(failed.lastEvent)

      writeFileSync(join(folder, "used"), "")
      const end = yield* withVariable(Effect.zipRight(resume(failed.runId), awaitRun(failed.runId, "20 seconds")))
      expect(end).toMatchObject({ status: "completed", output: { said: `it was ⟦secret:${name}⟧` } })
      expect(used()).toBe(`${secret}+${secret}`)
      expect(leaksIn(directory)).toEqual([])
    }).pipe(Effect.provide(detached))
  )

  it.live("keeps out of them what its tool servers say", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const failed = yield* withVariable(
        Effect.flatMap(launch(indiscreet, {}), ({ runId }) => awaitRun(runId, "20 seconds"))
      )
      expect(failed.error?.message).toContain(`its last words: I have ⟦secret:${name}⟧`)
      const { directory, stderr } = store.files(failed.runId)
      expect(readFileSync(stderr, "utf8")).toContain(`I have ⟦secret:${name}⟧`)
      expect(leaksIn(directory)).toEqual([])
    }).pipe(Effect.provide(detached))
  )
})
