// Times a stdio server from spawn to the answer of a request, the way a host sees it.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } }
}
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }

export const startServer = (command, args, env) => {
  const started = performance.now()
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map()
  let buffer = ""
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    buffer += chunk
    for (let end; (end = buffer.indexOf("\n")) >= 0; buffer = buffer.slice(end + 1)) {
      const message = JSON.parse(buffer.slice(0, end))
      waiting.get(message.id)?.({ message, at: performance.now() })
    }
  })
  const send = (...messages) => child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""))
  const reply = (id) => new Promise((resolve) => waiting.set(id, resolve))
  let next = 10
  return {
    started,
    pid: child.pid,
    open: () => {
      const answer = reply(2)
      send(initialize, initialized, { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} })
      return answer
    },
    call: (name, parameters) => {
      const id = next++
      const answer = reply(id)
      const sent = performance.now()
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: parameters } })
      return answer.then(({ message, at }) => ({ result: message.result, milliseconds: at - sent }))
    },
    stop: () =>
      new Promise((resolve) => {
        child.on("exit", resolve)
        child.stdin.end()
      })
  }
}

/** Milliseconds from spawn to the answer of `tools/list`. */
export const timeToTools = async (command, args, env, settle = 0) => {
  const server = startServer(command, args, env)
  const { at, message } = await server.open()
  // The first start leaves a code cache behind; give it the time that any host would.
  if (settle > 0) await new Promise((done) => setTimeout(done, settle))
  await server.stop()
  return { milliseconds: at - server.started, tools: message.result.tools.length }
}

/** Milliseconds from spawn to the first byte of a Node that does nothing else. */
export const timeToByte = (command, args, env) =>
  new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] })
    let milliseconds = 0
    child.stdout.once("data", () => (milliseconds = performance.now() - started)).resume()
    child.on("exit", () => resolve(milliseconds))
  })

export const residentMebibytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
