/**
 * The built server as a host sees it: a process with three pipes. Keeps every line of stdout, so that a test can look at
 * what was really written, and gives each server a home of its own.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { program } from "../../support/Program.ts"

export { program }

export interface Message {
  readonly jsonrpc: "2.0"
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

const workflows: Readonly<Record<string, string>> = {
  "add.yaml": `workflow:
  name: add
  description: Adds two numbers.
  entry_point: sum
  input:
    left: { type: number }
    right: { type: number, required: false, default: 1 }
  mcp: { mode: sync, read_only: true }
agents:
  - name: sum
    type: set
    value: "{{ workflow.input.left + workflow.input.right }}"
    routes: [{ to: $end }]
output:
  sum: "{{ sum.output }}"
`,
  "nap.yaml": `workflow:
  name: nap
  description: Sleeps for a while.
  entry_point: sleep
  input:
    seconds: { type: number }
agents:
  - name: sleep
    type: wait
    duration: "{{ workflow.input.seconds }}s"
    routes: [{ to: $end }]
output:
  slept: "{{ sleep.output.waited_seconds }}"
`,
  "refuse.yaml": `workflow:
  name: refuse
  entry_point: stop
  mcp: { mode: sync }
agents:
  - name: stop
    type: terminate
    status: failed
    reason: "not today"
output: {}
`
}

export interface Place {
  readonly home: string
  /** The folder of workflow files. */
  readonly folder: string
  readonly environment: Record<string, string>
  /** Runs that have just ended may still close their files. */
  readonly remove: () => Promise<void>
}

/** A throw-away home and a folder of workflows. */
export const makePlace = (): Place => {
  const root = mkdtempSync(join(tmpdir(), "conductor-e2e-"))
  const folder = join(root, "flows")
  const home = join(root, "home")
  mkdirSync(folder)
  for (const [name, text] of Object.entries(workflows)) writeFileSync(join(folder, name), text)
  return {
    home,
    folder,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      CONDUCTOR_HOME: home,
      // Compiled code is the same for all places, and processes write it when they end: it must not hold up `remove`.
      XDG_CACHE_HOME: join(tmpdir(), "conductor-e2e-cache")
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** What a client has to write before it may ask for anything (2025 protocol). */
const initialize = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw-client", version: "1" }
}

export class ServerProcess {
  readonly process: ChildProcessWithoutNullStreams
  /** Every line of stdout, as it came. */
  readonly lines: Array<string> = []
  private readonly parsed: Array<Message> = []
  stderr = ""
  readonly ended: Promise<Ending>
  private readonly listeners = new Set<() => void>()
  private nextId = 100

  constructor(place: Place, args: ReadonlyArray<string> = [], environment: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [program, "mcp", "serve", "--workflow-dir", place.folder, ...args], {
      env: { ...place.environment, ...environment }
    })
    let rest = ""
    this.process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n")
      rest = parts.pop() ?? ""
      this.lines.push(...parts)
      this.tell()
    })
    this.process.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk
      this.tell()
    })
    // A test may close the pipe under the server, or the server may be gone: neither is news.
    this.process.stdin.on("error", () => {})
    this.ended = new Promise((resolve) =>
      this.process.on("exit", (code, signal) => resolve({ code, signal, at: Date.now() }))
    )
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }

  /** Throws when a line is no JSON. Each line is parsed once: answers may be large, and whoever waits looks often. */
  get messages(): ReadonlyArray<Message> {
    for (const line of this.lines.slice(this.parsed.length)) this.parsed.push(JSON.parse(line) as Message)
    return this.parsed
  }

  write(text: string): void {
    this.process.stdin.write(text)
  }

  send(message: Omit<Message, "jsonrpc">): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  /** Resolves as soon as `find` finds something; rejects when the server ends first. */
  async until<A>(find: () => A | undefined): Promise<A> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        this.listeners.delete(look)
        resolve(found)
      }
      this.listeners.add(look)
      void this.ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${this.stderr}`)))
      look()
    })
  }

  /** Ends it as a host does. */
  async stop(): Promise<Ending> {
    this.process.stdin.end()
    return this.ended
  }

  answer(id: number | string): Promise<Message> {
    return this.until(() => this.messages.find((message) => message.id === id))
  }

  request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    const id = this.nextId++
    this.send({ id, method, params })
    return this.answer(id)
  }

  async start(): Promise<this> {
    await this.request("initialize", initialize)
    this.send({ method: "notifications/initialized" })
    return this
  }

  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result } = await this.request("tools/call", { name, arguments: given })
    return result?.["structuredContent"] as Readonly<Record<string, unknown>>
  }
}
