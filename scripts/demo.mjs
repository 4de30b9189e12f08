// `npm run demo`: the main job, for real: a folder of workflows becomes MCP tools, and each call is a run that outlives
// its host. Uses the built program, a real MCP client over stdio and a throw-away home; exits non-zero on any surprise.
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const program = resolve(process.env.CONDUCTOR_DIST ?? "dist", "main.cjs")
const home = mkdtempSync(join(tmpdir(), "conductor-demo-"))
const environment = { ...process.env, CONDUCTOR_HOME: home }
const started = performance.now()

const colour = process.stdout.isTTY === true && !process.env.NO_COLOR
const paint = (code) => (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
const [bold, dim, green, red] = [paint(1), paint(2), paint(32), paint(31)]

const clock = () => `${((performance.now() - started) / 1000).toFixed(1)}s`.padStart(6)
const say = (text = "") => console.log(text === "" ? "" : `${dim(clock())}  ${text}`)
const chapter = (title) => console.log(`\n${bold(title)}`)
const expect = (condition, promise, seen) => {
  if (!condition) throw new Error(`${promise}\n        seen: ${JSON.stringify(seen)}`)
  say(`${green("✓")} ${promise}`)
}

const conductor = async (...args) => {
  say(dim(`$ conductor ${args.join(" ")}`))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { env: environment })
  return { stdout, stderr }
}

const clients = []

const connect = async (name) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "serve"],
    env: environment,
    stderr: "pipe"
  })
  let summary = ""
  transport.stderr?.on("data", (chunk) => (summary += chunk))
  const client = new Client({ name, version: "1.0.0" })
  clients.push(client)
  await client.connect(transport)
  return { client, pid: transport.pid, summary: () => summary.trimEnd() }
}

const call = async ({ client }, tool, parameters, options) => {
  say(`${bold(tool)}${dim(`(${JSON.stringify(parameters)})`)}`)
  const result = await client.callTool({ name: tool, arguments: parameters }, options)
  return result.structuredContent
}

const alive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const until = async (promise, check) => {
  for (const deadline = performance.now() + 10_000; performance.now() < deadline;) {
    if (check()) return
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error(`${promise}: not within 10 seconds`)
}

const demo = async () => {
  chapter("A folder of workflows is registered")
  const added = await conductor("registry", "add", "examples", resolve("examples/registry"))
  for (const line of added.stdout.trimEnd().split("\n")) say(line)

  chapter("A host connects")
  const first = await connect("demo-host")
  const { tools } = await first.client.listTools()
  for (const line of first.summary().split("\n")) say(dim(line))
  expect(
    tools.length >= 9,
    `${tools.length} tools are listed, one for each workflow and four for runs`,
    tools.map((tool) => tool.name)
  )
  const release = tools.find((tool) => tool.name === "check_release")
  expect(
    release?.inputSchema.properties.breaking.type === "boolean" &&
      release.inputSchema.required.join() === "previous,version",
    "check_release(version, previous, breaking?) is typed by the workflow file",
    release?.inputSchema
  )

  chapter("A call answers at once with a handle; the run goes on by itself")
  const handle = await call(first, "soak", { rounds: 4, _wait_seconds: 0 })
  expect(handle.status === "running", `run ${handle.run_id} is running`, handle)
  say(dim(`next: ${handle.next}`))

  chapter("Awaiting it, with progress")
  let messages = 0
  const finished = await call(
    first,
    "conductor_await_run",
    { run_id: handle.run_id, wait_seconds: 40 },
    {
      onprogress: ({ message }) => {
        messages += 1
        say(dim(`… ${message}`))
      }
    }
  )
  expect(
    finished.status === "completed" && finished.output.rounds === 4,
    "it completed and has its typed output",
    finished
  )
  expect(messages > 0, `${messages} progress messages came on the way`, messages)
  say(dim(JSON.stringify(finished.output)))

  chapter("A call that waits for its result")
  const sum = await call(first, "summarise_numbers", { numbers: [3, 1, 4, 1, 5, 9], _wait_seconds: 20 })
  expect(sum.status === "completed" && sum.output.median === 3.5, "the answer came in the same call", sum)
  say(dim(JSON.stringify(sum.output)))

  chapter("A run that fails says why")
  const refused = await call(first, "check_release", {
    version: "2.1.0",
    previous: "2.0.3",
    breaking: true,
    _wait_seconds: 20
  })
  expect(
    refused.status === "failed" && refused.error.message.includes("breaking change"),
    `failed: ${refused.error?.message}`,
    refused
  )

  chapter("A wrong argument is refused before anything starts")
  const wrong = await call(first, "check_release", { version: "2.1.0", previuos: "2.0.3" })
  expect(wrong.error !== undefined && wrong.run_id === undefined, wrong.error?.message.split("\n")[0] ?? "", wrong)

  chapter("The long one is cancelled")
  const long = await call(first, "soak", { rounds: 60 })
  const cancelled = await call(first, "conductor_cancel_run", { run_id: long.run_id })
  expect(cancelled.status === "cancelled", "it ended, and says so", cancelled)
  say(dim(`next: ${cancelled.next}`))

  chapter("The server is killed in mid-run")
  const survivor = await call(first, "soak", { rounds: 6 })
  process.kill(first.pid, "SIGKILL")
  await until("the server is gone", () => !alive(first.pid))
  expect(!alive(first.pid), `server ${first.pid} died by SIGKILL`, first.pid)

  const second = await connect("another-host")
  const after = await call(second, "conductor_run_status", { run_id: survivor.run_id })
  expect(after.status === "running", "a second server answers for the same run, which is still running", after)
  const ended = await call(second, "conductor_await_run", { run_id: survivor.run_id, wait_seconds: 40 })
  expect(ended.status === "completed" && ended.output.rounds === 6, "and it completes, nothing lost", ended)

  chapter("The command line knows the same runs")
  const listed = await conductor("runs", "list")
  for (const line of listed.stdout.trimEnd().split("\n")) say(line)
}

try {
  await demo()
  console.log(`\n${green("All as promised")} ${dim(`in ${clock().trim()}`)}`)
} catch (error) {
  console.log(`${dim(clock())}  ${red("✗")} ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  // A step that failed may have left a server connected; its runs end by themselves.
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)))
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
