// A tiny MCP server for explain-term.yaml, without dependencies: it speaks JSON-RPC 2.0 in lines on stdin and stdout, and
// has one tool. Real servers are made with an SDK.
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const terms = JSON.parse(readFileSync(new URL("glossary.json", import.meta.url), "utf8"))

const define = {
  name: "define",
  description: "The definition of a term of the glossary",
  inputSchema: { type: "object", properties: { term: { type: "string" } }, required: ["term"] },
  annotations: { readOnlyHint: true }
}

const answer = (term) => {
  const name = Object.keys(terms).find((key) => key.toLowerCase() === String(term).trim().toLowerCase())
  if (name === undefined) {
    const text = `The glossary has no '${term}'. It has: ${Object.keys(terms).join(", ")}`
    return { content: [{ type: "text", text }], isError: true }
  }
  const entry = { term: name, ...terms[name] }
  return { content: [{ type: "text", text: JSON.stringify(entry) }], structuredContent: entry }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "glossary", version: "1.0.0" }
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [define] }),
  "tools/call": ({ arguments: given }) => answer(given?.term)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  // What has no id is a notification, and wants no answer.
  if (id === undefined) continue
  const known = methods[method]
  const reply = known ? { result: known(params) } : { error: { code: -32601, message: `no method ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`)
}
