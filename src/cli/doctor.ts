/** `conductor doctor`: whether this machine has what runs and servers need, and what to do where it has not. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Either } from "effect"
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
import { Output, printJson, shownInline } from "./output/Output.ts"
import { renderTable } from "./output/Table.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

interface Finding {
  readonly check: string
  /** `note` is worth knowing and breaks nothing. */
  readonly state: "ok" | "note" | "problem"
  readonly detail: string
}

const finding = (check: string, state: Finding["state"], detail: string): Finding => ({ check, state, detail })

/** The folder itself, or the nearest one above it that is there. */
const nearestFolder = (folder: string): Effect.Effect<string, never, FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem
    const isThere = yield* Effect.orElseSucceed(files.exists(folder), () => false)
    return isThere || folder === dirname(folder) ? folder : yield* nearestFolder(dirname(folder))
  })

const checkHome = Effect.gen(function* () {
  const { root } = yield* Home
  const files = yield* FileSystem
  const folder = yield* nearestFolder(root)
  const access = yield* Effect.either(files.access(folder, { writable: true }))
  if (Either.isLeft(access)) {
    const remedy = "Make it writable, or set CONDUCTOR_HOME to a folder that is."
    return finding("home", "problem", `${folder} cannot be written. ${remedy}`)
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
  if (Either.isLeft(page)) return finding("sqlite", "problem", page.left.message)
  const { total, warnings } = page.right
  const known = `${total} ${total === 1 ? "run" : "runs"} in the index`
  return warnings.length === 0
    ? finding("sqlite", "ok", known)
    : finding("sqlite", "note", `${known}; ${warnings.join("; ")}`)
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

export const doctor = (options: Call<Verbs["doctor"]>) =>
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
      yield* output.print(
        renderTable([{ title: "" }, { title: "check" }, { title: `conductor ${version}` }], rows, {
          title: dim,
          width: Number.POSITIVE_INFINITY
        })
      )
    }
    if (problems > 0) return yield* failed(`${problems} of ${findings.length} checks found a problem.`)
  })
