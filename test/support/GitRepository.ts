/** A git repository for one test. */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { workflowFolder } from "./WorkflowFolder.ts"

export interface GitRepository {
  readonly folder: string
  readonly write: (name: string, text: string) => void
  /** Commits all that was written. */
  readonly commit: (message: string) => void
  readonly tag: (name: string) => void
}

/** Whose settings of git this machine has does not matter. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com"
}

export const gitRepository = Effect.map(workflowFolder({}), (folder): GitRepository => {
  const git = (...words: ReadonlyArray<string>): void => {
    const { status, stderr } = spawnSync("git", words, { cwd: folder, env: environment, encoding: "utf8" })
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`)
  }
  git("init", "--quiet")
  return {
    folder,
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    },
    commit: (message) => {
      git("add", "--all")
      git("commit", "--quiet", "--message", message)
    },
    tag: (name) => git("tag", name)
  }
})
