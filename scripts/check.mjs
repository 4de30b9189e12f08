// `npm run check`: every static check, each with its own line, all of them even when one fails.
import { spawnSync } from "node:child_process"

const bin = (name) => `node_modules/.bin/${name}`
const checks = [
  ["types", process.execPath, ["node_modules/typescript7/bin/tsc", "-p", "tsconfig.json"]],
  ["effect diagnostics", bin("effect-language-service"), ["diagnostics", "--project", "tsconfig.json", "--strict"]],
  ["lint", bin("oxlint"), ["src", "test", "scripts"]],
  ["format", bin("prettier"), ["--check", "--log-level", "warn", "src", "test", "scripts"]],
  ["floors and cycles", bin("depcruise"), ["src", "--config", ".dependency-cruiser.cjs", "--output-type", "err"]],
  ["unused code and dependencies", bin("knip"), ["--no-progress"]],
  ["generated documents", process.execPath, ["scripts/docs.mjs", "--check"]]
]
const only = process.argv.slice(2)
let failed = 0
for (const [name, command, args] of checks) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 << 20 })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? "ok  " : "FAIL"}  ${name.padEnd(30)} ${seconds.padStart(5)} s`)
  if (status !== 0) {
    failed += 1
    console.log(`${stdout}${stderr}`.trimEnd().replace(/^/gm, "      "))
  }
}
process.exitCode = failed === 0 ? 0 : 1
