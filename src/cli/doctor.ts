/** `conductor doctor`: whether this machine has what runs and servers need, and what to do where it has not. */
import { Command } from "@effect/cli"
import { Effect, Either } from "effect"
import { accessSync, constants, existsSync } from "node:fs"
import { dirname } from "node:path"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import { version } from "../platform/Version.ts"
import { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import { registriesOf } from "../registries/Registry.ts"
import { RegistrySource } from "../registries/RegistrySource.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { failed } from "./CliFailure.ts"
import { json } from "./CommonOptions.ts"
import { Output, printJson, shownInline } from "./output/Output.ts"
import { renderTable } from "./output/Table.ts"

interface Finding {
  readonly check: string
  /** `note` is worth knowing and breaks nothing. */
  readonly state: "ok" | "note" | "problem"
  readonly detail: string
}

const finding = (check: string, state: Finding["state"], detail: string): Finding => ({ check, state, detail })

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const checkHome = Effect.gen(function* () {
  const { root } = yield* Home
  let folder = root
  while (!existsSync(folder)) folder = dirname(folder)
  if (!isWritable(folder)) {
    return finding("home", "problem", `${folder} cannot be written. Make it writable, or set CONDUCTOR_HOME to a folder that is.`)
  }
  return folder === root
    ? finding("home", "ok", root)
    : finding("home", "note", `${root} does not exist yet; the first registry or run makes it`)
})

const checkNode = Effect.sync(() => {
  const major = Number(process.versions.node.split(".")[0])
  return major >= 20
    ? finding("node", "ok", `${process.version} at ${process.execPath}`)
    : finding("node", "problem", `${process.version} is too old: install Node 20 or later`)
})

/** A list of runs opens the index, reads it and heals it, which is all that SQLite is for. */
const checkIndex = Effect.gen(function* () {
  const monitor = yield* RunMonitor
  const page = yield* Effect.either(monitor.list({ limit: 1, offset: 0 }))
  if (Either.isLeft(page)) return finding("runs", "problem", page.left.message)
  const { total, warnings } = page.right
  const known = `${total} known`
  return warnings.length === 0 ? finding("runs", "ok", known) : finding("runs", "note", `${known}; ${warnings.join("; ")}`)
})

const checkGit = Effect.gen(function* () {
  const processes = yield* ProcessRunner
  const { variables } = yield* Environment
  const result = yield* Effect.either(
    processes.run({ command: "git", args: ["--version"], env: Object.fromEntries(variables) })
  )
  return Either.isRight(result) && result.right.exitCode === 0
    ? finding("git", "ok", result.right.stdout.trim())
    : finding("git", "note", "not found; only workflows that call it need it")
})

const checkRegistries = Effect.gen(function* () {
  const config = yield* RegistriesConfig
  const source = yield* RegistrySource
  const file = yield* Effect.either(config.load)
  if (Either.isLeft(file)) return [finding("registries", "problem", file.left.message)]
  const registries = registriesOf(file.right)
  if (registries.length === 0) {
    return [finding("registries", "note", "none; add one with 'conductor registry add <name> <folder>'")]
  }
  return yield* Effect.forEach(registries, (registry) =>
    Effect.map(Effect.either(source.list(registry)), (listing) => {
      const check = `registry ${registry.name}`
      if (Either.isLeft(listing)) return finding(check, "problem", listing.left.message)
      const { entries, problems } = listing.right
      const count = `${entries.length} ${entries.length === 1 ? "workflow" : "workflows"} in ${registry.source}`
      return problems.length === 0
        ? finding(check, "ok", count)
        : finding(check, "note", `${count}; ${problems.map(({ key, reason }) => `${key}: ${reason}`).join("; ")}`)
    })
  )
})

const checkProvider = Effect.map(Environment, ({ variables }) =>
  variables.has("OPENAI_API_KEY") || variables.has("OPENAI_BASE_URL")
    ? finding("models", "ok", "an OpenAI-compatible endpoint is configured")
    : finding("models", "note", "OPENAI_API_KEY is not set; only workflows with agent steps need it")
)

export const doctor = Command.make("doctor", { json }, (options) =>
  Effect.gen(function* () {
    const output = yield* Output
    const findings = [
      yield* checkNode,
      yield* checkHome,
      yield* checkIndex,
      yield* checkGit,
      yield* checkProvider,
      ...(yield* checkRegistries)
    ]
    const problems = findings.filter(({ state }) => state === "problem").length
    if (options.json) {
      yield* printJson({ version, healthy: problems === 0, checks: findings.map((entry) => ({ ...entry })) })
    } else {
      const { dim, green, red, yellow } = output.style
      const colour = { ok: green, note: yellow, problem: red }
      const rows = findings.map(({ check, detail, state }) => [colour[state](state), check, shownInline(detail)])
      yield* output.print(renderTable([{ title: "" }, { title: "check" }, { title: `conductor ${version}` }], rows, dim))
    }
    if (problems > 0) return yield* failed(`${problems} of ${findings.length} checks found a problem.`)
  })
).pipe(Command.withDescription("Check home, node, index, git and registries"))
