/** A step that talks with a person in other processes, through the death of its own. */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { completion, openAiWireServer } from "../support/OpenAiWireServer.ts"
import { makeCliPlace } from "./CliProcess.ts"

const verdict = { trigger: true, reason: "unsure", question: "Which colour?" }

const workflow = (url: string): string => `
workflow:
  name: talk
  entry_point: painter
  runtime: { provider: { name: openai, base_url: "${url}" }, skills: [./painting] }
agents:
  - { name: painter, prompt: Choose a colour., dialog: { trigger_prompt: if there is a choice } }
output: { colour: "{{ painter.output.result }}" }
`

const place = Effect.acquireRelease(Effect.sync(makeCliPlace), ({ remove }) => Effect.promise(remove))

describe("a dialog", () => {
  it.scopedLive("goes on after a kill with what was said, and with the skills that the run began with", () =>
    Effect.gen(function* () {
      const replies = ["red", JSON.stringify(verdict), "Blue it is. [READY_TO_CONTINUE]", "blue"]
      const server = yield* openAiWireServer(replies.map((text) => completion(text)))
      const { call, folder, start, write } = yield* place
      const painting = join(folder, "painting")
      mkdirSync(painting)
      write("painting/SKILL.md", "---\nname: painting\ndescription: Paints.\n---\nMix well.\n")
      const file = write("talk.yaml", workflow(server.url))

      const first = start("run", file)
      const run = yield* Effect.promise(() => first.says(/^run ([0-9a-f]+)/m))
      yield* Effect.promise(() => first.says(/painter asks: Which colour\?/))
      const said = call("gate", "respond", run, "reply", "--input", "message=like the sky")
      expect(said).toMatchObject({ code: 0 })
      yield* Effect.promise(() => first.says(/painter asks: Blue it is\./))

      process.kill(JSON.parse(call("status", run, "--json").stdout).pid, "SIGKILL")
      expect(yield* Effect.promise(() => first.ended)).toBe(1)
      rmSync(painting, { recursive: true })
      expect(server.requests).toHaveLength(3)

      const second = start("resume", run)
      yield* Effect.promise(() => second.says(/painter asks: Blue it is\./))
      expect(call("gate", "respond", run, "continue")).toMatchObject({ code: 0 })
      expect(yield* Effect.promise(() => second.ended)).toBe(0)
      expect(JSON.parse(second.stdout)).toEqual({ colour: "blue" })
      expect(server.requests).toHaveLength(4)
      const asked = JSON.stringify(server.requests[3]?.body)
      expect(asked).toContain("User: like the sky")
      expect(asked).toContain("Mix well.")
    })
  )
})
