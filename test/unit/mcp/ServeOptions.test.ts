import { describe, expect, it } from "vitest"
import { decodeServeOptions, type ServeRequest } from "../../../src/mcp/ServeOptions.ts"
import { serveFlags } from "../../../src/mcp/ServeFlags.ts"
import { serveFlagsTable, serveHelp } from "../../../src/mcp/ServeFlagsText.ts"

const directories = new Set(["/base", "/base/project"])
const decode = (argv: ReadonlyArray<string>, environment: Record<string, string> = {}): ServeRequest =>
  decodeServeOptions(argv, { environment, workingDirectory: "/base", isDirectory: (path) => directories.has(path) })

const options = (argv: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  const request = decode(argv, environment)
  if (request._tag !== "Serve") throw new Error(JSON.stringify(request))
  return request.options
}

const problems = (argv: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  const request = decode(argv, environment)
  return request._tag === "Invalid" ? request.problems : []
}

describe("options of mcp serve", () => {
  it("without flags everything is served, with the documented defaults", () => {
    expect(options([])).toEqual({
      registries: [],
      allow: [],
      deny: [],
      workflowDirectories: [],
      toolsets: ["workflows", "runs"],
      maxDirectTools: 25,
      maxWaitSeconds: 300,
      toolPrefix: undefined,
      maxConcurrentRuns: 0,
      launchDirectory: "/base",
      provider: undefined
    })
  })

  it("repeatable flags keep every occurrence, in order", () => {
    expect(options(["--allow", "b*", "--allow=a*"]).allow).toEqual(["b*", "a*"])
  })

  it("toolsets may be separated by commas, by spaces, or repeated", () => {
    for (const argv of [
      ["--toolsets", "runs,workflows"],
      ["--toolsets", "workflows runs"],
      ["--toolsets", "runs", "--toolsets", "workflows"]
    ]) {
      expect(options(argv).toolsets).toEqual(["workflows", "runs"])
    }
    expect(options(["--toolsets", "runs"]).toolsets).toEqual(["runs"])
  })

  it("no toolset at all is a mistake, since the server would be empty", () => {
    expect(problems(["--toolsets", ","])).toEqual(["--toolsets names no toolset; the toolsets are workflows, runs"])
  })

  it("every flag can be given as a variable, with commas between several values", () => {
    const given = options([], {
      CONDUCTOR_MCP_REGISTRY: "official, team-*",
      CONDUCTOR_MCP_ALLOW: "a",
      CONDUCTOR_MCP_DENY: "b",
      CONDUCTOR_MCP_WORKFLOW_DIR: "flows,/srv/flows",
      CONDUCTOR_MCP_TOOLSETS: "workflows",
      CONDUCTOR_MCP_MAX_DIRECT_TOOLS: "3",
      CONDUCTOR_MCP_MAX_WAIT_SECONDS: "0",
      CONDUCTOR_MCP_TOOL_PREFIX: "acme",
      CONDUCTOR_MCP_MAX_CONCURRENT_RUNS: "2",
      CONDUCTOR_MCP_LAUNCH_DIR: "project",
      CONDUCTOR_MCP_PROVIDER: "openai"
    })
    expect(given).toEqual({
      registries: ["official", "team-*"],
      allow: ["a"],
      deny: ["b"],
      workflowDirectories: ["/base/flows", "/srv/flows"],
      toolsets: ["workflows"],
      maxDirectTools: 3,
      maxWaitSeconds: 0,
      toolPrefix: "acme",
      maxConcurrentRuns: 2,
      launchDirectory: "/base/project",
      provider: "openai"
    })
  })

  it("a flag wins over its variable, and an empty variable is no value", () => {
    expect(options(["--max-direct-tools", "7"], { CONDUCTOR_MCP_MAX_DIRECT_TOOLS: "x" }).maxDirectTools).toBe(7)
    expect(options([], { CONDUCTOR_MCP_MAX_DIRECT_TOOLS: "" }).maxDirectTools).toBe(25)
  })

  it("runs start in the project that the host names, when it exists", () => {
    expect(options([], { CLAUDE_PROJECT_DIR: "/base/project" }).launchDirectory).toBe("/base/project")
    expect(options([], { CLAUDE_PROJECT_DIR: "/gone" }).launchDirectory).toBe("/base")
    expect(options(["--launch-dir", "."], { CLAUDE_PROJECT_DIR: "/base/project" }).launchDirectory).toBe("/base")
  })

  it("all problems are said at once, each with its place and its remedy", () => {
    expect(
      problems(["--alow", "x", "--max-direct-tools", "501", "--launch-dir", "gone", "--toolsets", "run", "--deny"], {
        CONDUCTOR_MCP_MAX_WAIT_SECONDS: "1.5",
        CONDUCTOR_MCP_TOOL_PREFIX: "9x"
      })
    ).toEqual([
      "--alow is unknown; did you mean --allow?",
      "'x' is not a flag; no other arguments are taken",
      "--deny needs a value",
      "--toolsets does not know 'run'; the toolsets are workflows, runs; did you mean 'runs'?",
      "--max-direct-tools must be a whole number from 0 to 500, not '501'",
      "CONDUCTOR_MCP_MAX_WAIT_SECONDS must be a whole number from 0 to 86400, not '1.5'",
      "CONDUCTOR_MCP_TOOL_PREFIX must be 1 to 15 lower-case letters, digits or underscores and begin with a letter, not '9x'",
      "--launch-dir names no directory: '/base/gone'; create it, or name one that exists"
    ])
  })

  it("a flag does not swallow the flag after it", () => {
    expect(problems(["--allow", "--deny", "x"])).toContain("--allow needs a value")
  })

  it("help is asked for with --help or -h, whatever else is wrong", () => {
    expect(decode(["--help", "--nonsense"])._tag).toBe("Help")
    expect(decode(["-h"])._tag).toBe("Help")
  })
})

describe("texts about the flags", () => {
  it("help and table name each flag with its variable and default", () => {
    for (const flag of Object.values(serveFlags)) {
      for (const text of [serveHelp(), serveFlagsTable()]) {
        expect(text).toContain(`--${flag.name} ${flag.placeholder}`)
        expect(text).toContain(flag.variable)
        expect(text).toContain(flag.otherwise)
      }
    }
  })
})
