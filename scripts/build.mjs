// Builds `dist` (or the folder after `--out`): the program as split CommonJS chunks (fast to start, see docs/decisions.md), and the library as ESM.
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"

const packageJson = JSON.parse(readFileSync("package.json", "utf8"))
const define = { __VERSION__: JSON.stringify(packageJson.version) }
const quiet = {
  onLog: (level, log, handler) => (level === "warn" && log.code === "EVAL" ? undefined : handler(level, log))
}

const { values } = parseArgs({
  options: { out: { type: "string", default: "dist" }, "program-only": { type: "boolean", default: false } }
})
const dist = values.out
rmSync(dist, { recursive: true, force: true })

// The MCP client is bundled apart. It shares code with the MCP server, and a shared chunk would make every start of
// `mcp serve` load what only the client needs.
const mcpClient = "@modelcontextprotocol/client"
const client = await rolldown({ input: { "mcp-client": mcpClient }, platform: "node", ...quiet })
await client.write({
  dir: join(dist, "chunks"),
  format: "cjs",
  entryFileNames: "[name].cjs",
  codeSplitting: false,
  comments: false
})

const program = await rolldown({
  input: { main: "src/main.ts" },
  platform: "node",
  // A native module cannot be bundled; everything else is, so that a start reads few files.
  external: [/^better-sqlite3/, mcpClient],
  transform: { define },
  ...quiet
})
const { output } = await program.write({
  dir: dist,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "chunks/[name]-[hash].cjs",
  paths: { [mcpClient]: "./mcp-client.cjs" },
  // Scripts from the code cache cannot `import()`.
  dynamicImportInCjs: false,
  comments: false
})
// Which chunks load which: the start-up test reads it to prove that `mcp serve` loads nothing heavy.
writeFileSync(
  join(dist, "chunks.json"),
  JSON.stringify(
    Object.fromEntries(
      output
        .filter((chunk) => chunk.type === "chunk")
        .map((chunk) => [
          chunk.fileName,
          {
            imports: chunk.imports,
            dynamicImports: chunk.dynamicImports,
            modules: Object.keys(chunk.modules).map((id) => id.replace(`${process.cwd()}/`, ""))
          }
        ])
    ),
    undefined,
    1
  )
)
chmodSync(join(dist, "main.cjs"), 0o755)

if (!values["program-only"]) {
  const library = await rolldown({
    input: { index: "src/index.ts", testing: "src/testing.ts" },
    platform: "node",
    // The library shares its dependencies with the program that embeds it: there must be one Effect, not two.
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    transform: { define },
    ...quiet
  })
  await library.write({
    dir: join(dist, "lib"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  execFileSync(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--outDir", join(dist, "lib")],
    { stdio: "inherit" }
  )
}
