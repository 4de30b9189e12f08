/** A bare repository on this disk, and a place to commit to it from. */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

export interface GitServer {
  /** Holds everything; the repository is `acme/flows` below it. */
  readonly folder: string
  /** Of what stands before `/acme/flows` in the address. */
  readonly url: string
  readonly home: string
  /** Adds a commit and gives its id. */
  readonly commit: (change: (folder: string) => void) => string
  readonly git: (...args: ReadonlyArray<string>) => string
}

const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]

const makeServer = (): GitServer => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "conductor-git-")))
  const work = join(folder, "work")
  const bare = join(folder, "acme", "flows")
  const run = (cwd: string, args: ReadonlyArray<string>) =>
    execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  mkdirSync(work)
  run(work, ["init", "-q"])
  mkdirSync(dirname(bare))
  run(folder, ["init", "-q", "--bare", bare])
  return {
    folder,
    url: pathToFileURL(folder).href,
    home: join(folder, "home"),
    git: (...args) => run(work, args),
    commit: (change) => {
      change(work)
      run(work, ["add", "-A"])
      run(work, ["commit", "-q", "-m", "change"])
      run(work, ["push", "-q", "--all", bare])
      run(work, ["push", "-q", "--tags", bare])
      return run(work, ["rev-parse", "HEAD"])
    }
  }
}

export const gitServer = Effect.acquireRelease(Effect.sync(makeServer), ({ folder }) =>
  Effect.sync(() => rmSync(folder, { recursive: true }))
)
