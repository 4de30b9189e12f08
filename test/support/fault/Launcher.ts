/** Programs that hosts are told to start instead of the server itself: they start it, and stand in between. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, constants, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Place } from "../../e2e/mcp/ServerProcess.ts"
import { program } from "../Program.ts"

/** `npx` finds it in a project that has it installed. */
const install = (project: string): void => {
  const bin = join(project, "node_modules", ".bin")
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(project, "package.json"), `{ "name": "project", "private": true }`)
  symlinkSync(program, join(bin, "conductor"))
}

const serve = ["mcp", "serve"]

export const launchers = {
  "npx --no": ["npx", "--no", "--", "conductor", ...serve],
  "npm exec": ["npm", "exec", "--no", "--", "conductor", ...serve],
  "a shell wrapper": ["sh", "-c", '"$@"; exit $?', "sh", process.execPath, program, ...serve],
  "a shell that starts a shell": [
    "sh",
    "-c",
    `sh -c '"$0" "$@"; exit $?' "$@"; exit $?`,
    "sh",
    process.execPath,
    program,
    ...serve
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export interface Launched {
  readonly launcher: ChildProcess
  /** Ends stdin. Nothing else does: not even the end of the launcher, unlike with a pipe that `spawn` makes. */
  readonly closeStdin: () => void
}

/** A pipe with a name; the end for writing stays with us. */
const namedPipe = (path: string): { readonly input: number; readonly output: number } => {
  execFileSync("mkfifo", [path])
  // Opening one end waits for the other one, unless it is told not to.
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const output = openSync(path, constants.O_WRONLY)
  const input = openSync(path, constants.O_RDONLY)
  closeSync(first)
  return { input, output }
}

/** Resolves when the server behind the launcher has answered. */
export const launch = async (place: Place, [command = "", ...args]: ReadonlyArray<string>): Promise<Launched> => {
  const project = join(dirname(place.folder), "project")
  install(project)
  const { input, output } = namedPipe(join(project, "stdin"))
  const launcher = spawn(command, [...args, "--workflow-dir", place.folder], {
    cwd: project,
    env: place.environment,
    stdio: [input, "pipe", "ignore"]
  })
  closeSync(input)
  writeSync(output, `{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
  if (launcher.stdout !== null) await once(launcher.stdout, "data")
  return { launcher, closeStdin: () => closeSync(output) }
}
