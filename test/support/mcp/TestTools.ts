/** An MCP server with a tool for every way in which a tool may behave, for tests of the client side. */
import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult, type Tool } from "@modelcontextprotocol/server"

type Arguments = Readonly<Record<string, unknown>>

interface TestTool {
  readonly description: string
  readonly properties?: NonNullable<Tool["inputSchema"]["properties"]>
  readonly outputSchema?: Tool["outputSchema"]
  readonly run: (input: Arguments) => CallToolResult | Promise<CallToolResult>
}

const text = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })

const string = { type: "string" } as const
const number = { type: "number" } as const

let calls = 0

const tools: Readonly<Record<string, TestTool>> = {
  echo: { description: "Says it again", properties: { text: string }, run: (input) => text(String(input["text"])) },
  arguments: { description: "Its arguments as JSON", run: (input) => text(JSON.stringify(input)) },
  add: {
    description: "Adds two numbers",
    properties: { a: number, b: number },
    outputSchema: { type: "object", properties: { sum: number }, required: ["sum"] },
    run: ({ a, b }) => {
      const sum = Number(a) + Number(b)
      return { content: [{ type: "text", text: `the sum is ${sum}` }], structuredContent: { sum } }
    }
  },
  count: { description: "How often this process was asked", run: () => text(String(++calls)) },
  fail: { description: "Fails", run: () => ({ ...text("the disk is on fire"), isError: true }) },
  big: {
    description: "Says much",
    properties: { chars: number },
    run: (input) => text("x".repeat(Number(input["chars"])))
  },
  picture: {
    description: "Shows a picture",
    run: () => ({
      content: [
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        { type: "text", text: "a picture" }
      ]
    })
  },
  process: {
    description: "About the process",
    run: () => text(JSON.stringify({ pid: process.pid, cwd: process.cwd(), env: Object.keys(process.env).sort() }))
  },
  die: {
    description: "Ends the server",
    run: () => {
      process.stderr.write("I am dying\n")
      process.exit(7)
    }
  },
  hang: { description: "Never answers", run: () => new Promise<CallToolResult>(() => {}) },
  wrong: {
    description: "Answers with what it did not promise",
    outputSchema: { type: "object", properties: { sum: number }, required: ["sum"] },
    run: () => ({ content: [], structuredContent: { sum: "many" } })
  }
}

export const listTestTools: ReadonlyArray<Tool> = Object.entries(tools).map(
  ([name, { description, outputSchema, properties = {} }]) => ({
    name,
    description,
    inputSchema: { type: "object", properties },
    ...(outputSchema === undefined ? {} : { outputSchema })
  })
)

export const callTestTool = async (name: string, input: Arguments): Promise<CallToolResult> => {
  const tool = tools[name]
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool '${name}'`)
  return await tool.run(input)
}

export const makeTestServer = (): Server => {
  const server = new Server({ name: "test-tools", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => ({ tools: [...listTestTools] }))
  server.setRequestHandler("tools/call", ({ params: { arguments: input = {}, name } }) => callTestTool(name, input))
  return server
}
