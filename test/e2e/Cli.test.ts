import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { dist } from "../support/Program.ts"
import { greeting, scripted } from "../support/runs/Workflows.ts"
import { type CliPlace, makeCliPlace } from "./CliProcess.ts"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

interface Chunk {
  readonly imports: ReadonlyArray<string>
  readonly modules: ReadonlyArray<string>
}

/** Every module that is loaded when the chunk of this one is. */
const modulesOf = (module: string): ReadonlyArray<string> => {
  const chunks = new Map<string, Chunk>(Object.entries(JSON.parse(readFileSync(join(dist, "chunks.json"), "utf8"))))
  const first = [...chunks].find(([, { modules }]) => modules.includes(module))
  if (first === undefined) throw new Error(`no chunk holds ${module}`)
  const loaded = new Set([first[0]])
  for (const name of loaded) for (const imported of chunks.get(name)?.imports ?? []) loaded.add(imported)
  return [...loaded].flatMap((name) => chunks.get(name)?.modules ?? [])
}

/** Writes the pid of its script into the working directory, then takes a minute. */
const slow = scripted("echo $$ > script.pid; exec sleep 60")

describe("the conductor command", () => {
  let place: CliPlace
  beforeEach(() => {
    place = makeCliPlace()
  })
  afterEach(() => place.remove())

  const scriptPid = async (): Promise<number> => {
    for (;;) {
      const text = await readFile(join(place.folder, "script.pid"), "utf8").catch(() => "")
      if (text.endsWith("\n")) return Number(text)
    }
  }

  describe("resume and fork", () => {
    /** Fails until there is a file `ready`. */
    const unready = scripted("echo turn >> turns; test -e ready").replace(
      "routes: [{ to: $end }]",
      `routes: [{ to: $end, when: "exit_code == 0" }]`
    )
    const turns = (): number => readFileSync(join(place.folder, "turns"), "utf8").trim().split("\n").length

    it("a failed run says how to go on with it, and going on ends as a run does", () => {
      place.write("unready.yaml", unready)
      const { stderr } = place.call("run", "unready.yaml")
      const [, runId = ""] = /go on with 'conductor resume ([0-9a-f]+)'/.exec(stderr) ?? []
      place.write("ready", "")
      const resumed = place.call("resume", runId)
      expect(resumed.code).toBe(0)
      // Only what is new is told.
      expect(resumed.stderr.match(/workflow_started/g)).toHaveLength(1)
      expect(resumed.stderr).not.toContain("workflow_failed")
      expect(JSON.parse(resumed.stdout)).toEqual({ said: "" })
      expect(turns()).toBe(2)
      const again = place.call("resume", runId)
      expect(again).toMatchObject({ code: 1, stdout: "" })
      expect(again.stderr).toContain("has completed")
    })

    it("a fork is a run of its own; one without a step, or with a wrong one, says what there is", () => {
      place.write("unready.yaml", unready)
      place.call("run", "unready.yaml")
      place.write("ready", "")
      const [{ run_id: runId }] = JSON.parse(place.call("runs", "list", "--json").stdout).runs
      expect(place.call("runs", "fork", runId)).toMatchObject({ code: 2, stderr: expect.stringContaining("--from") })
      const mistyped = place.call("runs", "fork", runId, "--from", "wrok")
      expect(mistyped).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean 'work'?") })
      const lines = place.call("runs", "fork", runId, "--from", "work", "--json").stdout.trimEnd().split("\n")
      expect(lines.map((line) => JSON.parse(line).type)).toContain("workflow_started")
      const { run: fork } = JSON.parse(lines.at(-1) ?? "")
      expect(fork).toMatchObject({ status: "completed", output: { said: "" } })
      expect(fork.run_id).not.toBe(runId)
      expect(JSON.parse(place.call("status", runId, "--json").stdout)).toMatchObject({ status: "failed" })
    })

    it("a run that is not known is refused with what was probably meant", () => {
      place.write("unready.yaml", unready)
      place.call("run", "unready.yaml")
      const [{ run_id: runId }] = JSON.parse(place.call("runs", "list", "--json").stdout).runs
      expect(place.call("resume", runId.slice(0, -1)).stderr).toContain(`Did you mean '${runId}'?`)
    })
  })

  describe("exit codes", () => {
    it("0: a run that completed, with its output as the only thing on stdout", () => {
      place.write("greeting.yaml", greeting)
      const { code, stdout } = place.call("run", "greeting.yaml", "-i", "who=you")
      expect(JSON.parse(stdout)).toEqual({ text: "Hello you" })
      expect(code).toBe(0)
    })

    it("1: a run that failed, with the reason on stderr", () => {
      place.write("missing.yaml", scripted("true").replace("command: sh", "command: no-such-command"))
      const { code, stderr, stdout } = place.call("run", "missing.yaml")
      expect(stdout).toBe("")
      expect(stderr).toContain("no-such-command")
      expect(code).toBe(1)
    })

    it("2: words that make no sense, with nothing on stdout", () => {
      for (const words of [
        ["runn"],
        ["status"],
        ["runs", "list", "--limit", "x"],
        ["mcp"],
        ["status", "x", "--what"]
      ]) {
        const { code, stderr, stdout } = place.call(...words)
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
        expect(stderr).not.toBe("")
      }
    })

    it("0: the version, and the help that no words at all give", () => {
      expect(place.call("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
      expect(place.call()).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage:") })
    })
  })

  describe("Ctrl-C", () => {
    it("cancels the run, leaves no process of it, and ends with 130", async () => {
      place.write("slow.yaml", slow)
      const cli = place.start("run", "slow.yaml")
      const runId = await cli.says(/^run ([0-9a-f]+)$/m)
      const pid = await scriptPid()
      cli.process.kill("SIGINT")
      expect(await cli.ended).toBe(130)
      expect(cli.stderr).toContain(`Run ${runId} ended: cancelled.`)
      expect(isAlive(pid)).toBe(false)
      expect(JSON.parse(place.call("status", runId, "--json").stdout)).toMatchObject({ status: "cancelled" })
    })

    it("a second time does not wait for a run that is slow to end", async () => {
      place.write("stubborn.yaml", scripted("trap '' TERM; echo $$ > script.pid; sleep 60 & wait; sleep 60"))
      const cli = place.start("run", "stubborn.yaml")
      const runId = await cli.says(/^run ([0-9a-f]+)$/m)
      await scriptPid()
      cli.process.kill("SIGINT")
      await cli.says(/Ctrl-C again/)
      cli.process.kill("SIGINT")
      expect(await cli.ended).toBe(130)
      expect(cli.stderr).toMatch(/Left without waiting.*\n$/)
      const ending = place.call("logs", runId, "--follow")
      expect(ending.stdout).toContain("workflow_cancelled")
    })
  })

  it("a signal that comes twice at once, as npx and a terminal send it together, is one", async () => {
    place.write("slow.yaml", slow)
    const cli = place.start("run", "slow.yaml")
    await cli.says(/^run ([0-9a-f]+)$/m)
    cli.process.kill("SIGINT")
    cli.process.kill("SIGINT")
    expect(await cli.ended).toBe(130)
    expect(cli.stderr).toContain("ended: cancelled.")
  })

  it("the run of a command that is killed lives on, and other commands tell of it and end it", async () => {
    place.write("slow.yaml", slow)
    const cli = place.start("run", "slow.yaml")
    const runId = await cli.says(/^run ([0-9a-f]+)$/m)
    const pid = await scriptPid()
    cli.process.kill("SIGKILL")
    await cli.ended
    expect(isAlive(pid)).toBe(true)
    expect(JSON.parse(place.call("status", runId, "--json").stdout)).toMatchObject({ status: "running" })
    expect(place.call("stop", runId)).toMatchObject({ code: 0, stdout: expect.stringContaining("is cancelled") })
    expect(isAlive(pid)).toBe(false)
  })

  it("a run whose process was killed is told as lost, with the exit code of a failure", async () => {
    place.write("slow.yaml", slow)
    const cli = place.start("run", "slow.yaml")
    const runId = await cli.says(/^run ([0-9a-f]+)$/m)
    await scriptPid()
    const { pid } = JSON.parse(place.call("status", runId, "--json").stdout)
    process.kill(pid, "SIGKILL")
    expect(await cli.ended).toBe(1)
    expect(cli.stderr).toContain(`Run ${runId} lost.`)
  })

  describe("a reader that goes away", () => {
    it("ends a long list without a word, as a shell expects it", () => {
      place.write("greeting.yaml", greeting)
      for (const who of ["a", "b"]) place.call("run", "greeting.yaml", "-i", `who=${who}`)
      const { stderr, stdout } = place.shell("runs list", "| head -1")
      expect(stdout).toMatch(/^run .*\n$/)
      expect(stderr).toBe("")
    })

    it("ends the following of a run, not the run", async () => {
      place.write("slow.yaml", scripted("echo $$ > script.pid; sleep 6"))
      const cli = place.start("run", "slow.yaml")
      const runId = await cli.says(/^run ([0-9a-f]+)$/m)
      const { code, stderr } = place.shell(`logs ${runId} --follow`, "| head -1; exit ${PIPESTATUS[0]}")
      expect({ code, stderr }).toEqual({ code: 141, stderr: "" })
      expect(await cli.ended).toBe(0)
    })

    it("ends a command that started a run and prints its events, not the run", () => {
      place.write("slow.yaml", scripted("sleep 1"))
      const { code, stdout } = place.shell("run slow.yaml --json 2>/dev/null", "| head -1; exit ${PIPESTATUS[0]}")
      expect(code).toBe(141)
      const { data } = JSON.parse(stdout)
      expect(place.call("logs", data.run_id, "--follow").stdout).toContain("workflow_completed")
    })

    it("ends the help without a word", () => {
      expect(place.shell("--help", "| head -1").stderr).toBe("")
    })
  })

  it("colours are for terminals: none in a pipe, and none with NO_COLOR", () => {
    // oxlint-disable-next-line no-control-regex -- what must not be there
    const escape = /\u001b/
    const { stderr, stdout } = place.call("doctor")
    expect(stdout + stderr).not.toMatch(escape)
    const forced = place.shell("doctor", '; FORCE_COLOR=1 NO_COLOR=1 "$NODE" "$PROGRAM" doctor')
    expect(forced.stdout).not.toMatch(escape)
  })

  it("an output of megabytes comes through a pipe whole", () => {
    place.write("large.yaml", scripted("head -c 5000000 /dev/zero | tr '\\0' x"))
    const { stdout } = place.call("run", "large.yaml")
    expect(JSON.parse(stdout).said === "x".repeat(5_000_000)).toBe(true)
  })

  it("keeps the compiled code of commands and of runs apart, which use other parts of it", () => {
    place.write("small.yaml", scripted("echo x"))
    place.call("run", "small.yaml")
    const cache = join(place.folder, "cache", "conductor")
    const folder = join(cache, readdirSync(cache).find((name) => name.startsWith("code-")) ?? "")
    expect(readdirSync(folder).sort()).toEqual(["cli", "run"])
    for (const purpose of ["cli", "run"]) expect(readdirSync(join(folder, purpose))).not.toEqual([])
  })

  it("what answers at once loads neither the engine nor YAML nor SQLite", () => {
    expect(modulesOf("src/cli/Main.ts").filter((module) => /node_modules/.test(module))).toEqual([])
    for (const entry of ["src/cli/Execute.ts", "src/cli/status.ts", "src/cli/stop.ts", "src/runs/RunsLive.ts"]) {
      const heavy =
        /node_modules\/(yaml|@effect\/sql|better-sqlite3|ai)\/|src\/(engine\/(Interpreter|Evolve)|language\/template)/
      expect(modulesOf(entry).filter((module) => heavy.test(module))).toEqual([])
    }
  })
})
