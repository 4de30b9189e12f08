/**
 * Repositories over the `git` program of this machine, which knows proxies, certificates and credentials. A commit is
 * fetched once, without history, and its files are put into the cache; nothing of it is run, and nobody is asked anything.
 */
import { Duration, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { realpath, rename, rm } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { withoutCredentials } from "../domain/RepositoryAddress.ts"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { type FileError, fileError, makePrivateDirectory } from "../platform/PrivateFiles.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import { gitEnvironment, gitSettings, isCommit } from "./GitCommand.ts"
import { checkReference, keyOf, sourceOf, unusable, type GitSource } from "./GitSource.ts"
import { Repositories, type RepositoryContent, type RepositoryReference } from "./Repositories.ts"
import { isBelow } from "./RootedFile.ts"
import { findStrayLink } from "./StrayLink.ts"

/** Names another server, as GitHub Enterprise is one: what stands before `/<owner>/<repository>` in an address. */
export const SERVER_VARIABLE = "CONDUCTOR_GITHUB_URL"
const DEFAULT_SERVER = "https://github.com"

/** For all commands of one fetch. Shorter than a run may take to start, so that the reason is told. */
const LIMIT = Duration.seconds(25)

/** The part of what git says that a person needs. */
const lastWords = (stderr: string): string =>
  stderr
    .replace(/\s*Please make sure you have the correct access rights\s+and the repository exists\.\s*$/, "")
    .trim()
    .split("\n")
    .slice(-3)
    .join(" ")
    .slice(0, 500)
    .replace(/\.$/, "")

const make = Effect.gen(function* () {
  const { variables } = yield* Environment
  const home = yield* Home
  // Real, as the paths are that lie in it.
  const root = yield* Effect.promise(() => realpath(home.root).catch(() => home.root))
  const folder = join(root, relative(home.root, home.repositories))
  const { run } = yield* ProcessRunner
  const server = (variables.get(SERVER_VARIABLE) ?? DEFAULT_SERVER).replace(/\/+$/, "")
  const env = gitEnvironment(variables, server)

  const contentIn = (root: string, commit: string): Effect.Effect<Option.Option<RepositoryContent>> =>
    Effect.promise(() =>
      realpath(root).then(
        (real) => Option.some({ root: real, commit }),
        () => Option.none()
      )
    )

  /** What git printed. */
  const git = Effect.fnUntraced(function* (
    { address, reference }: GitSource,
    cwd: string,
    args: ReadonlyArray<string>
  ) {
    const result = yield* Effect.mapError(
      run({ command: "git", args: [...gitSettings, ...args], env, cwd, maxOutputBytes: 64 * 1024 }),
      ({ message }) => unusable(reference, `git cannot be run: ${message}`, "Install git, or clone the repository.")
    )
    if (result.exitCode === 0) return result.stdout.trim()
    const shown = withoutCredentials(address)
    return yield* unusable(
      reference,
      `'git ${args[0] ?? ""}' of ${shown} failed: ${lastWords(result.stderr.replaceAll(address, shown))}`,
      "Check the name, the version after '#' and your access."
    )
  })

  const onDisk = (reference: RepositoryReference) =>
    Effect.mapError((error: FileError) => unusable(reference, error.message.replace(/\.$/, ""), "Then repeat."))

  /** Of many that fetch one commit at once, one puts it there; the others find it. */
  const settle = Effect.fnUntraced(function* ({ folder: parent }: GitSource, staged: string, commit: string) {
    const root = join(parent, commit)
    yield* makePrivateDirectory(parent)
    yield* Effect.tryPromise({ try: () => rename(staged, root), catch: fileError("create", root) }).pipe(
      Effect.catchIf(
        ({ code }) => code === "ENOTEMPTY" || code === "EEXIST",
        () => Effect.void
      )
    )
    return { commit, root: yield* Effect.tryPromise({ try: () => realpath(root), catch: fileError("read", root) }) }
  })

  const checkOut = Effect.fnUntraced(function* (source: GitSource, staged: string) {
    const { address, reference } = source
    const { ref = "latest" } = reference
    const wanted = ref.toLowerCase() === "latest" ? "HEAD" : ref
    yield* git(source, folder, ["init", "--quiet", "--template=", staged])
    yield* git(source, staged, ["fetch", "--quiet", "--depth=1", "--no-tags", "--", address, wanted])
    const commit = yield* git(source, staged, ["rev-parse", "--verify", "FETCH_HEAD^{commit}"])
    const known = yield* contentIn(join(source.folder, commit), commit)
    if (Option.isSome(known)) return known.value
    yield* git(source, staged, ["checkout", "--quiet", "--detach", commit])
    yield* Effect.promise(() => rm(join(staged, ".git"), { recursive: true, force: true }))
    const stray = yield* onDisk(reference)(findStrayLink(staged))
    if (stray !== undefined) {
      const reason = `its link ${relative(staged, stray)} leads out of the repository, or nowhere`
      return yield* unusable(reference, reason, "Nothing of it was kept. Remove the link from the repository.")
    }
    return yield* onDisk(reference)(settle(source, staged, commit))
  })

  const fetchNow = Effect.fnUntraced(function* (source: GitSource) {
    const { reference } = source
    yield* onDisk(reference)(makePrivateDirectory(folder))
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => join(folder, `.fetch-${randomUUID()}`)),
      (staged) => checkOut(source, staged),
      (staged) => Effect.promise(() => rm(staged, { recursive: true, force: true }))
    ).pipe(
      Effect.timeoutFail({
        duration: LIMIT,
        onTimeout: () =>
          unusable(
            reference,
            `fetching it took longer than ${Duration.toSeconds(LIMIT)} seconds`,
            "Clone it, and name its folder instead."
          )
      })
    )
  })

  const fetchOnce = yield* Effect.cachedFunction((reference: RepositoryReference) =>
    Effect.gen(function* () {
      yield* checkReference(reference)
      const source = sourceOf(reference, { folder, server })
      const { ref } = reference
      const known =
        ref !== undefined && isCommit(ref)
          ? yield* contentIn(join(source.folder, ref), ref)
          : Option.none<RepositoryContent>()
      return Option.isSome(known) ? known.value : yield* fetchNow(source)
    })
  )

  return Repositories.of({
    fetch: Effect.fn("Repositories.fetch")((reference) => fetchOnce(keyOf(reference))),
    rootOf: (path) => {
      const [owner = "", repository = "", commit = ""] = relative(folder, path).split(sep)
      return isBelow(folder, path) && isCommit(commit)
        ? Option.some(join(folder, owner, repository, commit))
        : Option.none()
    }
  })
})

export const layer: Layer.Layer<Repositories, never, Environment | Home | ProcessRunner> = Layer.effect(
  Repositories,
  make
)
