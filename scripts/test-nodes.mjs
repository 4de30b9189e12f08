// `npm run test:nodes`: the test suite on Node 20, 22 and 24, each in a copy of the project whose native module is
// compiled for that version. `npm run test:nodes -- 22` runs one of them.
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, symlinkSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { installTools, nodeBinary, nodeHeaders } from "./tools.mjs"

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ["20", "22", "24"]
const current = process.versions.node.split(".")[0]
const root = resolve(".")

const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options })
  return status === 0
}

const copyProject = (folder) => {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8"
  })
  for (const file of listing.split("\0").filter((name) => name !== "")) {
    const target = join(folder, file)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, file), target)
  }
  cpSync(join(root, "node_modules"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, "tools", "node_modules"), join(folder, "tools", "node_modules"))
}

const testOn = (major) => {
  if (major === current) return run("npm", ["test"], { env: process.env })
  const folder = mkdtempSync(join(tmpdir(), `conductor-node${major}-`))
  // The corpus examples are read in place, beside the project.
  const project = join(folder, "project")
  try {
    mkdirSync(project)
    copyProject(project)
    symlinkSync(resolve(root, "..", "shared"), join(folder, "shared"))
    const bin = join(folder, "bin")
    mkdirSync(bin)
    symlinkSync(nodeBinary(major), join(bin, "node"))
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, npm_config_nodedir: nodeHeaders(major) }
    return (
      run("npm", ["rebuild", "better-sqlite3"], { cwd: project, env }) && run("npm", ["test"], { cwd: project, env })
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

installTools()
const failed = wanted.filter((major) => {
  console.log(`\n=== Node ${major}`)
  return !testOn(major)
})
console.log(failed.length === 0 ? `\nPassed on Node ${wanted.join(", ")}` : `\nFailed on Node ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
