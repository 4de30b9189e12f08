/** Repositories over real git, from bare repositories on this disk. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Environment } from "../../../src/platform/Environment.ts"
import { Home } from "../../../src/platform/Home.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"
import * as GitRepositories from "../../../src/registries/GitRepositories.ts"
import { Repositories, type RepositoryReference } from "../../../src/registries/Repositories.ts"
import { gitServer, type GitServer } from "../../support/GitServer.ts"

const layerFor = ({ folder, home, url }: GitServer, variables: Readonly<Record<string, string>> = {}) =>
  GitRepositories.layer.pipe(
    Layer.provide([
      Home.layerAt(home),
      ProcessRunner.layer(),
      Environment.layerOf({
        PATH: process.env["PATH"],
        HOME: folder,
        [GitRepositories.SERVER_VARIABLE]: url,
        ...variables
      })
    ])
  )

/** Each call is a process of its own, as far as memory goes. */
const fetchFrom = (from: GitServer, reference: RepositoryReference) =>
  Effect.flatMap(Repositories, (repositories) => repositories.fetch(reference)).pipe(Effect.provide(layerFor(from)))

interface Named {
  readonly owner: string
  readonly repository: string
  readonly ref: string
}

const fetch = (from: GitServer, reference: Partial<Named> = {}) =>
  fetchFrom(from, { owner: "acme", repository: "flows", ...reference })

const write = (name: string, text: string) => (folder: string) => writeFileSync(join(folder, name), text)

const cached = ({ home }: GitServer): ReadonlyArray<string> => readdirSync(join(home, "cache", "repositories"))

describe("a repository", () => {
  it.scopedLive("is the files of one commit and nothing else, in a folder that has its name", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const commit = from.commit(write("review.yaml", "workflow: {}\r\n"))
      const content = yield* fetch(from)
      expect(content).toEqual({ commit, root: join(from.home, "cache", "repositories", "acme", "flows", commit) })
      expect(readdirSync(content.root)).toEqual(["review.yaml"])
      expect(cached(from)).toEqual(["acme"])
    })
  )

  it.scopedLive("is asked for by branch, tag or commit, and 'latest' is its default branch", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const first = from.commit(write("a.yaml", "1"))
      from.git("tag", "-a", "v1", "-m", "one")
      from.git("branch", "old")
      const second = from.commit(write("a.yaml", "2"))
      const commitOf = (ref: string) => Effect.map(fetch(from, { ref }), ({ commit }) => commit)
      expect(yield* Effect.forEach(["v1", "old", first, "latest", "main"], commitOf)).toEqual([
        first,
        first,
        first,
        second,
        second
      ])
    })
  )

  it.scopedLive("is fetched once: a commit that is there is there without the network, a branch stays for a run", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const first = from.commit(write("a.yaml", "1"))
      yield* Effect.gen(function* () {
        const repositories = yield* Repositories
        const before = yield* repositories.fetch({ owner: "acme", repository: "flows" })
        from.commit(write("a.yaml", "2"))
        expect(yield* repositories.fetch({ owner: "acme", repository: "flows" })).toEqual(before)
        expect(repositories.rootOf(join(before.root, "deep", "a.yaml"))).toEqual(Option.some(before.root))
        expect(repositories.rootOf(from.folder)).toEqual(Option.none())
      }).pipe(Effect.provide(layerFor(from)))
      rmSync(join(from.folder, "acme"), { recursive: true })
      expect((yield* fetch(from, { ref: first })).commit).toBe(first)
    })
  )

  it.scopedLive("may be named by its whole address, which has a place of its own in the cache", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const commit = from.commit(write("a.yaml", "1"))
      const address = `${from.url}/acme/flows`
      const content = yield* fetchFrom(from, { address })
      expect(content.commit).toBe(commit)
      expect(readdirSync(content.root)).toEqual(["a.yaml"])
      expect(cached(from)).toEqual(["@address"])
      yield* Effect.gen(function* () {
        const { rootOf } = yield* Repositories
        expect(rootOf(join(content.root, "a.yaml"))).toEqual(Option.some(content.root))
      }).pipe(Effect.provide(layerFor(from)))
      rmSync(join(from.folder, "acme"), { recursive: true })
      expect(yield* fetchFrom(from, { address, ref: commit })).toEqual(content)
      const gone = yield* Effect.flip(fetchFrom(from, { address }))
      expect(gone.message).toContain(`Repository '${address}': 'git fetch' of ${address} failed`)
    })
  )

  it.scopedLive("has no address that git could take for an option, and no password in what is told of it", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      from.commit(write("a.yaml", "1"))
      for (const address of ["--upload-pack=touch", "ssh://-oProxyCommand=x/y", "a b", "git@-host:x", "flows"]) {
        const { message } = yield* Effect.flip(fetchFrom(from, { address }))
        expect(message).toContain("is no address of a repository")
      }
      const refused = yield* Effect.flip(fetchFrom(from, { address: "https://me:hunter2@localhost:1/acme/flows" }))
      expect(refused.message).toContain("'https://localhost:1/acme/flows'")
      expect(refused.message).not.toContain("hunter2")
    })
  )

  it.scopedLive("runs nothing of what it holds", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const trace = join(from.folder, "trace")
      const hook = `#!/bin/sh\ntouch ${trace}\n`
      const templates = join(from.folder, "templates", "hooks")
      mkdirSync(templates, { recursive: true })
      writeFileSync(join(templates, "post-checkout"), hook, { mode: 0o755 })
      writeFileSync(join(from.folder, ".gitconfig"), `[init]\n\ttemplateDir = ${dirname(templates)}\n`)
      from.commit((folder) => {
        mkdirSync(join(folder, "hooks"))
        writeFileSync(join(folder, "hooks", "post-checkout"), hook, { mode: 0o755 })
        writeFileSync(join(folder, ".gitmodules"), `[submodule "m"]\n\tpath = m\n\turl = ${from.folder}/work\n`)
      })
      const { root } = yield* fetch(from)
      expect(readdirSync(root).sort()).toEqual([".gitmodules", "hooks"])
      expect(existsSync(trace)).toBe(false)
    })
  )

  it.scopedLive("with a link that leads out is refused, and nothing of it is kept", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      from.commit((folder) => {
        mkdirSync(join(folder, "deep"))
        symlinkSync("../a.yaml", join(folder, "deep", "inside.yaml"))
        writeFileSync(join(folder, "a.yaml"), "")
      })
      expect((yield* fetch(from)).root).toContain("acme")
      const before = cached(from)
      const bad = from.commit((folder) => symlinkSync("/etc/hostname", join(folder, "deep", "out.yaml")))
      const error = yield* Effect.flip(fetch(from))
      expect(error.message).toContain("its link deep/out.yaml leads out of the repository")
      expect(cached(from)).toEqual(before)
      expect(existsSync(join(from.home, "cache", "repositories", "acme", "flows", bad))).toBe(false)
    })
  )

  it.scopedLive("that is not there is refused with what git says, and so is a name that is none", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      from.commit(write("a.yaml", "1"))
      const messageOf = (reference: Partial<Named>) =>
        Effect.map(Effect.flip(fetch(from, reference)), ({ message }) => message)
      expect(yield* messageOf({ repository: "other" })).toMatch(
        /'acme\/other': 'git fetch' of file:.* failed: .*does not appear to be a git repository.*remote repository\. Check/
      )
      expect(yield* messageOf({ ref: "v9" })).toContain("v9")
      expect(yield* messageOf({ ref: "--upload-pack=touch" })).toContain("is no name of a branch")
      expect(yield* messageOf({ ref: "main:refs/heads/x" })).toContain("is no name of a branch")
      expect(yield* messageOf({ owner: ".." })).toContain("owner/repository")
      expect(yield* messageOf({ repository: "-flows" })).toContain("owner/repository")
      expect(cached(from)).toEqual([])
    })
  )

  it.scopedLive("is spoken to over no other protocol than https and ssh", () =>
    Effect.gen(function* () {
      const from = yield* gitServer
      const trace = join(from.folder, "trace")
      const variables = { [GitRepositories.SERVER_VARIABLE]: `ext::sh -c touch% ${trace} #` }
      const error = yield* Repositories.pipe(
        Effect.flatMap((repositories) => repositories.fetch({ owner: "acme", repository: "flows" })),
        Effect.flip,
        Effect.provide(layerFor(from, variables))
      )
      expect(error.message).toContain("transport 'ext' not allowed")
      expect(existsSync(trace)).toBe(false)
    })
  )
})
