/**
 * The floors of docs/architecture.md: a room may import its own floor and the floors below it.
 * ground: domain, platform, language · first: engine, agents, tools, registries, boundary · second: runs, catalogue · top: cli, mcp, library
 */
const ground = "^src/(domain|platform|language)/"
const first = "^src/(engine|agents|tools|registries|boundary)/"
const second = "^src/(runs|catalogue)/"
const top = "^src/(cli|mcp|library)/"
const floor = (name, from, above) => ({
  name,
  severity: "error",
  comment: "Imports point downwards only.",
  from: { path: from },
  to: { path: above.join("|") }
})

module.exports = {
  forbidden: [
    floor("ground-imports-upwards", ground, [first, second, top]),
    floor("first-imports-upwards", first, [second, top]),
    floor("second-imports-upwards", second, [top]),
    { name: "domain-is-vocabulary", severity: "error", from: { path: "^src/domain/" }, to: { path: "^src/(platform|language)/" } },
    {
      name: "faces-are-independent",
      severity: "error",
      from: { path: "^src/(cli|mcp|library)/" },
      to: { path: "^src/(cli|mcp|library)/", pathNot: "^src/$1/" }
    },
    {
      name: "no-cycles",
      severity: "error",
      comment: "Cycles through `import type` are fine: they are gone at run time.",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } }
    },
    {
      name: "one-file-knows-the-mcp-sdk",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/mcp/Sdk\\.ts$" },
      to: { path: "@modelcontextprotocol", pathNot: "@modelcontextprotocol/client" }
    },
    {
      name: "one-file-knows-the-mcp-client",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/tools/McpSdk\\.ts$" },
      to: { path: "@modelcontextprotocol/client" }
    },
    {
      name: "no-heavy-barrels",
      severity: "error",
      comment: "These barrels load cluster, rpc, sql and undici.",
      from: { path: "^src/" },
      to: { path: "node_modules/@effect/(platform|platform-node)/(dist|build)/[^/]+/index\\." }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] }
  }
}
