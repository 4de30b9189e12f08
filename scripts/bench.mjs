// `npm run bench`: start-up, call, status and memory, as ratios measured side by side in one interleaved run.
// Writes docs/benchmarks.md. `--rounds N` sets the number of rounds (at least 11), `--runs N` the size of the store.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"
import { residentMebibytes, startServer, timeToByte, timeToTools } from "./bench/stdio.mjs"
import { makeStore } from "./bench/store.mjs"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "41" }, runs: { type: "string", default: "10000" } }
})
const rounds = Math.max(11, Number(values.rounds))
const storeSize = Number(values.runs)
/** Of status and of list each, asked of one server in turns. */
const lookups = 500
const program = resolve(process.env.CONDUCTOR_DIST ?? "dist", "main.cjs")
const root = mkdtempSync(join(tmpdir(), "conductor-bench-"))
const node = process.execPath

const quantile = (numbers, q) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}
const median = (numbers) => quantile(numbers, 0.5)
const ms = (number) => `${number.toFixed(number < 10 ? 1 : 0)} ms`

/** A home whose one registry has `count` workflows of a realistic size. */
const makeHome = (count) => {
  const home = join(root, `home-${count}`)
  const folder = join(root, `registry-${count}`)
  mkdirSync(home, { recursive: true })
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index += 1) {
    writeFileSync(
      join(folder, `workflow-${index}.yaml`),
      `workflow:
  name: workflow ${index}
  description: Checks part ${index} of the system and reports what it found, with a verdict and the reasons for it.
  entry_point: check
  input:
    target: { type: string, description: "What to check" }
    depth: { type: number, required: false, default: 3, description: "How deep to look" }
    strict: { type: boolean, required: false, default: false }
agents:
  - name: check
    type: set
    values: { verdict: "ok {{ workflow.input.target }}", depth: "{{ workflow.input.depth }}" }
output:
  verdict: "{{ check.output.verdict }}"
`
    )
  }
  const env = { ...process.env, CONDUCTOR_HOME: home, XDG_CACHE_HOME: join(root, "cache") }
  execFileSync(node, [program, "registry", "add", "bench", folder], { env, stdio: "ignore" })
  return env
}

const buildBaseline = async () => {
  const bundle = await rolldown({
    input: { baseline: "scripts/bench/baseline.ts" },
    platform: "node",
    onLog: () => undefined
  })
  await bundle.write({
    dir: join(root, "baseline"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    comments: false
  })
  return join(root, "baseline", "baseline.cjs")
}

const run = async () => {
  const baseline = await buildBaseline()
  const small = makeHome(25)
  const large = makeHome(1000)
  const one = ["-e", "process.stdout.write('x')"]
  const serve = [program, "mcp", "serve"]

  // Warm every cache that a second start of the day would have: code, catalogue snapshot, file system.
  for (let round = 0; round < 3; round += 1) {
    await timeToTools(node, [baseline], small, 400)
    await timeToTools(node, serve, small, 1500)
    await timeToTools(node, serve, large, 1500)
  }

  const times = { node: [], baseline: [], small: [], large: [], call: [], nodeForCall: [] }
  for (let round = 0; round < rounds; round += 1) {
    times.node.push(await timeToByte(node, one, small))
    times.baseline.push((await timeToTools(node, [baseline], small)).milliseconds)
    times.small.push((await timeToTools(node, serve, small)).milliseconds)
    times.large.push((await timeToTools(node, serve, large)).milliseconds)
  }

  // Tool call to the handle of a started run, on a server that has been up for a moment, against a bare start of node.
  const server = startServer(node, serve, small)
  await server.open()
  for (let round = 0; round < 3; round += 1) await server.call("workflow_0", { target: "warm", _wait_seconds: 0 })
  for (let round = 0; round < rounds; round += 1) {
    times.nodeForCall.push(await timeToByte(node, one, small))
    const { result, milliseconds } = await server.call("workflow_1", { target: `t${round}`, _wait_seconds: 0 })
    if (result.isError) throw new Error(JSON.stringify(result))
    times.call.push(milliseconds)
  }
  const busy = residentMebibytes(server.pid)
  await server.stop()

  const idle = startServer(node, serve, small)
  await idle.open()
  await new Promise((done) => setTimeout(done, 3000))
  const memory = residentMebibytes(idle.pid)
  await idle.stop()
  const idleBaseline = startServer(node, [baseline], small)
  await idleBaseline.open()
  await new Promise((done) => setTimeout(done, 3000))
  const baselineMemory = residentMebibytes(idleBaseline.pid)
  await idleBaseline.stop()

  // Status and list on a large store.
  const big = { ...small, CONDUCTOR_HOME: join(root, "home-store") }
  const ids = makeStore(big.CONDUCTOR_HOME, storeSize)
  execFileSync(node, [program, "runs", "reindex"], { env: big, stdio: "ignore" })
  const reader = startServer(node, serve, big)
  await reader.open()
  const pick = (index) => ids[(index * 7919) % ids.length]
  await reader.call("conductor_run_status", { run_id: pick(0) })
  await reader.call("conductor_list_runs", {})
  const status = []
  const list = []
  for (let index = 0; index < lookups; index += 1) {
    status.push((await reader.call("conductor_run_status", { run_id: pick(index + 1) })).milliseconds)
    list.push(
      (await reader.call("conductor_list_runs", { limit: 20, offset: (index * 37) % (storeSize - 20) })).milliseconds
    )
  }
  await reader.stop()

  const ratio = (a, b) => (median(a) / median(b)).toFixed(2)
  const rows = [
    [
      "spawn → `tools/list`, 25 workflows",
      ms(median(times.small)),
      `${ratio(times.small, times.baseline)} × one-tool SDK server`,
      "≤ 1.15"
    ],
    [
      "spawn → `tools/list`, 1,000 workflows",
      ms(median(times.large)),
      `${ratio(times.large, times.baseline)} × one-tool SDK server`,
      "≤ 1.3"
    ],
    ["the SDK's one-tool server", ms(median(times.baseline)), `${ratio(times.baseline, times.node)} × bare node`, ""],
    ["25 workflows against bare node", ms(median(times.small)), `${ratio(times.small, times.node)} × bare node`, ""],
    ["bare node, spawn → first byte", ms(median(times.node)), "1", ""],
    [
      "tool call → handle of a started run",
      ms(median(times.call)),
      `${ratio(times.call, times.nodeForCall)} × bare node`,
      "≤ 3.0"
    ],
    [
      `status of one of ${storeSize.toLocaleString("en")} runs, p95`,
      ms(quantile(status, 0.95)),
      `median ${ms(median(status))}`,
      "≤ 10 ms"
    ],
    [
      `list 20 of ${storeSize.toLocaleString("en")} runs, p95`,
      ms(quantile(list, 0.95)),
      `median ${ms(median(list))}`,
      "≤ 10 ms"
    ],
    [
      "idle memory (RSS), 25 workflows",
      `${memory.toFixed(0)} MiB`,
      `${(memory / baselineMemory).toFixed(2)} × one-tool SDK server (${baselineMemory.toFixed(0)} MiB)`,
      ""
    ],
    ["memory after the calls above", `${busy.toFixed(0)} MiB`, "", ""]
  ]
  const table = [["what", "measured", "ratio", "goal"], ["---", "---", "---", "---"], ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n")
  const text = `# Benchmarks

Measured by \`npm run bench\` in one interleaved run of ${rounds} rounds on Node ${process.versions.node}, ${cpus().length} cores
(${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB. The machine was shared, so the ratios are the result;
the milliseconds belong to this run only. Medians unless said otherwise. Caches (V8 code, catalogue snapshot) are warm,
as from the second start on. Status and list: ${lookups} calls each of one server.

${table}
`
  writeFileSync("docs/benchmarks.md", text)
  console.log(text)
}

try {
  await run()
} finally {
  rmSync(root, { recursive: true, force: true })
}
