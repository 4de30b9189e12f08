// The tools in `tools/`: other versions of Node and the MCP inspector. Installed on first use from their own lock file.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"

const folder = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "tools")

export const installTools = () => {
  if (existsSync(resolve(folder, "node_modules", ".package-lock.json"))) return
  console.log("Installing the test tools (Node 22, Node 24, MCP inspector) …")
  // Not `npm ci`: it takes an optional dependency of another platform, which no registry has, for a stale lock file.
  execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel", "error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"]
  })
}

/** Absolute path of the binary of a major version of Node. */
export const nodeBinary = (major) => resolve(folder, "node_modules", `node${major}`, "bin", "node")

/** Headers that belong to it, for compiling native modules without a download. */
export const nodeHeaders = (major) => {
  const nested = resolve(folder, "node_modules", `node${major}`, "node_modules")
  return resolve(nested, `node-${process.platform}-${process.arch}`)
}

export const inspectorEntry = () => resolve(folder, "node_modules", ".bin", "mcp-inspector")
