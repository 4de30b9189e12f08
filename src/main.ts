#!/usr/bin/env node
/** argv → the one chunk that is needed. Nothing else belongs here: every import is paid for by every start. */
import { enableCodeCache } from "./platform/CodeCache.ts"

const [verb, noun] = process.argv.slice(2)
if (verb === "mcp" && noun === "serve") {
  enableCodeCache(__dirname, "serve")
  void import("./mcp/Boot.ts").then(({ serve }) => serve(process.argv.slice(4)))
} else if (verb === "__run") {
  enableCodeCache(__dirname, "run")
  void import("./runs/RunHost.ts").then(({ runHost }) => runHost(process.argv[3] ?? "", process.argv.slice(4)))
} else {
  enableCodeCache(__dirname, "cli")
  void import("./cli/Main.ts").then(({ main }) => main(process.argv))
}
