/**
 * Keeps V8's compiled code of our own bundle between starts: it halves the start-up work (stack notes §2.4). A cache
 * may be absent, stale or unwritable at any time; nothing here may ever fail a start.
 */
import Module from "node:module"
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { Script } from "node:vm"
import { makeFolders } from "./MakeFolders.ts"

type Compile = (this: NodeModule, content: string, filename: string) => unknown

/**
 * Who starts. The cache of a script holds the functions that were used by whoever wrote it, and a run uses others than a
 * server: each has its own.
 */
type Purpose = "cli" | "run" | "serve"

let purpose: Purpose = "cli"

const directory = (): string =>
  join(
    process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
    "conductor",
    `code-${process.version}-${process.arch}`,
    purpose
  )

const attempt = <A>(action: () => A): A | undefined => {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** Scripts of this process whose cache file is missing or was refused by V8. */
const uncached = new Map<string, Script>()

/** Size and time stand for the content: V8 itself only compares the length of the source. */
const cacheFile = (filename: string): string | undefined =>
  attempt(() => {
    const { mtimeMs, size } = statSync(filename)
    return join(directory(), `${basename(filename)}-${size}-${Math.floor(mtimeMs)}`)
  })

type Loaded = NodeJS.Dict<NodeModule>

/**
 * Chunks name each other by their files, so there is nothing to resolve: no extensions to try, no links to follow and no
 * `package.json` to look for, which for the two dozen of a run is a twentieth of its start.
 */
const loadChunk = (path: string, parent: NodeModule, loaded: Loaded): unknown => {
  const known = loaded[path]
  if (known !== undefined) return known.exports
  const chunk = new Module(path, parent) as NodeModule & { load: (path: string) => void }
  loaded[path] = chunk
  try {
    chunk.load(path)
  } catch (cause) {
    delete loaded[path]
    throw cause
  }
  return chunk.exports
}

const installLoader = (root: string): void => {
  const prototype = Module.prototype as unknown as { _compile: Compile }
  const original = prototype._compile
  const { cache: loaded } = Module.createRequire(join(root, "main.cjs"))
  prototype._compile = function (content, filename) {
    const file = filename.startsWith(root) ? cacheFile(filename) : undefined
    if (file === undefined) return original.call(this, content, filename)
    const cachedData = attempt(() => readFileSync(file))
    const script = new Script(Module.wrap(content), { filename, ...(cachedData === undefined ? {} : { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) uncached.set(file, script)
    const run = script.runInThisContext() as (...parameters: ReadonlyArray<unknown>) => unknown
    const folder = dirname(filename)
    const require = (id: string) =>
      id.startsWith(".") ? loadChunk(join(folder, id), this, loaded) : (this.require(id) as unknown)
    return run.call(this.exports, this.exports, require, this, filename, folder)
  }
}

/** Newer Node has a cache of its own; on Node 20 the module loader is wrapped for the files below `root`. */
export const enableCodeCache = (root: string, starting: Purpose): void => {
  purpose = starting
  const native = Module as unknown as { enableCompileCache?: (directory: string) => void }
  if (native.enableCompileCache === undefined) installLoader(root)
  else attempt(() => native.enableCompileCache?.(directory()))
}

/** Writes what is missing. Called once the process is warm and idle, since many hosts end their servers with a kill. */
export const flushCodeCache = (): void => {
  const native = Module as unknown as { flushCompileCache?: () => void }
  attempt(() => native.flushCompileCache?.())
  if (uncached.size === 0) return
  attempt(() => makeFolders(directory()))
  for (const [file, script] of uncached) {
    uncached.delete(file)
    attempt(() => {
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, script.createCachedData(), { mode: 0o600 })
      renameSync(temporary, file)
    })
  }
}
