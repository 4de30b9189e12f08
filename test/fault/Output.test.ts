/** What a run prints is not ours to choose: however much, however loud and however broken, a host gets clean answers. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { scripted } from "../support/runs/Workflows.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, echoing } from "../support/fault/Flows.ts"
import { filesOf } from "../support/fault/RunRecords.ts"
import type { ServerProcess } from "../e2e/mcp/ServerProcess.ts"

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Each line of stdout is one answer or notification of the protocol, in whole characters. */
const expectCleanWire = ({ lines, messages }: ServerProcess): void => {
  for (const message of messages) {
    expect(message.jsonrpc).toBe("2.0")
    expect(message.error).toBeUndefined()
  }
  // `JSON.stringify` writes half a character as an escape and everything else as it is.
  for (const line of lines) expect(JSON.stringify(JSON.parse(line))).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
}

describe("noise", () => {
  const imitation = `{"jsonrpc":"2.0","id":1,"result":{}}`
  const noisy = scripted(
    `echo '${imitation}'; echo '${imitation}' >&2; head -c 3000 /dev/urandom; head -c 3000 /dev/urandom >&2; echo '${imitation}'`
  )

  it("of a script and of everything in the process of a run never reaches the stdout of the server", async ({
    place,
    serve
  }) => {
    addFlow(place, "scripted", noisy)
    const noise = join(place.folder, "noise.cjs")
    writeFileSync(
      noise,
      `setInterval(() => {
        console.log("noise by console")
        process.stdout.write(${JSON.stringify(imitation)} + "\\n")
        console.error("noise on stderr")
      }, 5).unref()`
    )
    const server = await serve({ environment: { NODE_OPTIONS: `--require=${noise}` } })
    const { run_id } = await server.call("scripted", { _wait_seconds: 0 })
    expect(await server.call("conductor_await_run", { run_id })).toMatchObject({ status: "completed" })
    expectCleanWire(server)
    // One answer for each request, and nothing that looks like one.
    expect(server.messages.filter(({ id }) => id === 1)).toEqual([])
    expect(readFileSync(filesOf(place.home, String(run_id)).stdout, "utf8")).toContain("noise by console")
  })
})

describe("five megabytes", () => {
  const phrase = "Příliš žluťoučký kůň 🐎 úpěl ďábelské ódy. "
  const size = 5_000_000
  const printed = phrase.repeat(Math.ceil(size / phrase.length))
  const whole = JSON.stringify({ said: printed })

  it("are shown in part at first, and can be read page by page until they are whole", async ({ place, serve }) => {
    const file = join(place.folder, "text.txt")
    writeFileSync(file, printed)
    addFlow(place, "scripted", scripted(`cat '${file}'`))
    const server = await serve()
    const { run_id } = await server.call("scripted", { _wait_seconds: 0 })
    const end = await server.call("conductor_await_run", { run_id })
    expect(end).toMatchObject({
      status: "completed",
      output_preview: { offset: 0, total_bytes: Buffer.byteLength(whole) }
    })
    expect(end).not.toHaveProperty("output")
    expect(bytesOf(end)).toBeLessThan(32_768)

    const parts: Array<string> = []
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = await server.call("conductor_run_status", { run_id, output_offset: offset, output_limit: 100_000 })
      const { next_offset, text } = page["output_preview"] as { next_offset?: number; text: string }
      parts.push(text)
      offset = next_offset
    }
    expect(parts.join("") === whole).toBe(true)
    for (const line of server.lines) expect(Buffer.byteLength(line)).toBeLessThan(1 << 18)
    expectCleanWire(server)
  })
})

describe("half characters and control characters", () => {
  const broken = {
    half: "a\ud800b",
    swapped: "\ude00\ud83d",
    controls: "\u0000\u0007\u001b[31mred\u001b[0m\u009b",
    fine: "🐎 é\n"
  }

  it("in the output of a script leave as whole characters and as plain text", async ({ place, serve }) => {
    const file = join(place.folder, "broken.json")
    writeFileSync(file, JSON.stringify(broken))
    const outputs = `output:\n${Object.keys(broken)
      .map((key) => `  ${key}: "{{ work.output.${key} }}"`)
      .join("\n")}\n`
    addFlow(place, "broken", scripted(`cat '${file}'`).replace(/^output:[^]*/m, outputs))
    const server = await serve()
    expect(await server.call("broken", { _wait_seconds: 20 })).toMatchObject({
      status: "completed",
      output: { half: "a\ufffdb", swapped: "\ufffd\ufffd", controls: "red", fine: "🐎 é\n" }
    })
    expectCleanWire(server)
  })

  it("in the bytes of a script's output and in a tool's arguments leave as whole characters", async ({
    place,
    serve
  }) => {
    addFlow(place, "bytes", scripted(`printf 'ok \\355\\240\\200 \\377\\376 \\000 end'`))
    addFlow(place, "echo", echoing("string"))
    const server = await serve()
    expect(await server.call("bytes", { _wait_seconds: 20 })).toMatchObject({
      output: { said: "ok \ufffd\ufffd\ufffd \ufffd\ufffd  end" }
    })
    expect(await server.call("echo", { given: broken.half })).toMatchObject({ output: { given: "a\ufffdb" } })
    expect(await server.call("echo", { [broken.half]: 1 })).toMatchObject({
      error: { message: expect.stringContaining("'a\ufffdb' is not a parameter") }
    })
    expectCleanWire(server)
  })
})
