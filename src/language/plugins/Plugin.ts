/** Plugins: folders that bundle skills, agents and MCP servers. Reads, and never runs, what is in them. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Schema } from "effect"
import { readNamed } from "../skills/Head.ts"
import { childrenOf, isFile, isFolder } from "../LookAtFiles.ts"
import { pluginServers, type PluginServers } from "./PluginServers.ts"
import { skillFolders } from "../skills/Skill.ts"

export interface PluginFolder {
  readonly name: string
  /** Absolute. */
  readonly directory: string
  /** Absolute paths of its skills. */
  readonly skills: ReadonlyArray<string>
  /** Its subagents, as `plugin:agent`. */
  readonly agents: ReadonlyArray<string>
  /** The MCP servers that it brings, by their names. */
  readonly servers: PluginServers
  /** Parts that it has and that are never loaded. */
  readonly dropped: ReadonlyArray<string>
  /** Absolute paths of what was read of it, its skills aside. */
  readonly files: ReadonlyArray<string>
}

/** A folder that is no plugin, or one whose files cannot be read. */
class PluginError extends Schema.TaggedError<PluginError>()("PluginError", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.reason}`
  }
}

const MANIFESTS = [".claude-plugin/plugin.json", ".github/plugin/plugin.json"]
const DROPPED = ["hooks", "commands"]

const Manifest = Schema.parseJson(Schema.Struct({ name: Schema.NonEmptyString }))

const readText = (file: string) =>
  Effect.flatMap(FileSystem, (files) => files.readFileString(file)).pipe(
    Effect.mapError(({ message }) => new PluginError({ file, reason: message }))
  )

const readJson = <A>(file: string, schema: Schema.Schema<A, string>, expected: string) =>
  readText(file).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(Schema.decode(schema)(text), () => new PluginError({ file, reason: `expected ${expected}` }))
    )
  )

const manifestIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path
  return yield* Effect.findFirst(
    MANIFESTS.map((name) => path.join(folder, name)),
    isFile
  )
})

/** Whether a folder, or one around it, is a plugin. */
export const isInsidePlugin = (folder: string): Effect.Effect<boolean, never, FileSystem | Path> =>
  Effect.gen(function* () {
    const path = yield* Path
    if ((yield* manifestIn(folder))._tag === "Some") return true
    const around = path.dirname(folder)
    return around === folder ? false : yield* isInsidePlugin(around)
  })

const serversIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path
  const file = path.join(folder, ".mcp.json")
  if (!(yield* isFile(file))) return { servers: {}, files: [] }
  const refuse = (reason: string) => new PluginError({ file, reason })
  const text = yield* readText(file)
  return { servers: yield* Either.mapLeft(pluginServers(text), refuse), files: [file] }
})

const readAgent = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file)
  return yield* Either.mapLeft(readNamed(text, file), (reason) => new PluginError({ file, reason }))
})

const agentsIn = Effect.fnUntraced(function* (folder: string, plugin: string) {
  const path = yield* Path
  const files = (yield* childrenOf(path.join(folder, "agents"))).filter((file) => file.endsWith(".agent.md"))
  const agents = yield* Effect.forEach(files, readAgent)
  return { names: agents.map(({ name }) => `${plugin}:${name}`), files }
})

/** `folder` is absolute. */
export const readPlugin = Effect.fn("Plugin.read")(function* (folder: string) {
  const path = yield* Path
  if (!(yield* isFolder(folder))) return yield* new PluginError({ file: folder, reason: "there is no such folder" })
  const manifest = yield* manifestIn(folder)
  if (manifest._tag === "None") {
    return yield* new PluginError({ file: folder, reason: `it is no plugin: it has no ${MANIFESTS.join(" or ")}` })
  }
  const { name } = yield* readJson(manifest.value, Manifest, "a JSON object with the name of the plugin")
  const skills = path.join(folder, "skills")
  const servers = yield* serversIn(folder)
  const agents = yield* agentsIn(folder, name)
  return {
    name,
    directory: folder,
    agents: agents.names,
    skills: yield* Effect.filter(yield* skillFolders(skills), (found) => Effect.succeed(found !== skills)),
    servers: servers.servers,
    dropped: yield* Effect.filter(DROPPED, (part) => isFolder(path.join(folder, part))),
    files: [manifest.value, ...servers.files, ...agents.files]
  } satisfies PluginFolder
})
