/**
 * Repositories over the `git` program of this machine, which knows proxies, certificates and credentials. A commit is
 * fetched once, without history, and its files are put into the cache; nothing of it is run, and nobody is asked anything.
 */
import { Data, Duration, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { realpath, rename, rm } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { type FileError, fileError, makePrivateDirectory } from "../platform/PrivateFiles.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import { gitEnvironment, gitSettings, isCommit, isRepositoryName, isRevision } from "./GitCommand.ts"
import { Repositories, RepositoryError, type RepositoryContent, type RepositoryReference } from "./Repositories.ts"
import { isBelow } from "./RootedFile.ts"
import { findStrayLink } from "./StrayLink.ts"

/** Names another server, as GitHub Enterprise is one: what stands before `/<owner>/<repository>` in an address. */
export const SERVER_VARIABLE = "CONDUCTOR_GITHUB_URL"
const DEFAULT_SERVER = "https://github.com"

/** For all commands of one fetch. Shorter than a run may take to start, so that the reason is told. */
const LIMIT = Duration.seconds(25)

/** The part of what git says that a person needs. */
const lastWords = (stderr: string): string => stderr.trim().split("\n").slice(-3).join(" ").slice(0, 500)

const nameOf = ({ owner, repository }: RepositoryReference): string => `${owner}/${repository}`

const unusable = (reference: RepositoryReference, reason: string, remedy: string): RepositoryError =>
  new RepositoryError({ repository: nameOf(reference), problem: "unusable", reason, remedy })

const checkReference = Effect.fnUntraced(function* (reference: RepositoryReference) {
  const { owner, ref, repository } = reference
  if (!isRepositoryName(owner) || !isRepositoryName(repository)) {
    return yield* unusable(reference, "it is not of the form owner/repository", "Correct the reference.")
  }
  if (ref !== undefined && !isRevision(ref)) {
    return yield* unusable(
      reference,
      `'${ref}' is no name of a branch, tag or commit`,
      "Correct what stands after '#'."
    )
  }
})

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
  const git = Effect.fnUntraced(function* (reference: RepositoryReference, cwd: string, args: ReadonlyArray<string>) {
    const result = yield* Effect.mapError(
      run({ command: "git", args: [...gitSettings, ...args], env, cwd, maxOutputBytes: 64 * 1024 }),
      ({ message }) => unusable(reference, `git cannot be run: ${message}`, "Install git, or clone the repository.")
    )
    if (result.exitCode === 0) return result.stdout.trim()
    return yield* unusable(
      reference,
      `'git ${args[0] ?? ""}' of ${server}/${nameOf(reference)} failed: ${lastWords(result.stderr)}`,
      "Check the name, the version after '#' and your access."
    )
  })

  const onDisk = (reference: RepositoryReference) =>
    Effect.mapError((error: FileError) => unusable(reference, error.message.replace(/\.$/, ""), "Then repeat."))

  /** Of many that fetch one commit at once, one puts it there; the others find it. */
  const settle = Effect.fnUntraced(function* (reference: RepositoryReference, staged: string, commit: string) {
    const parent = join(folder, reference.owner, reference.repository)
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

  const checkOut = Effect.fnUntraced(function* (reference: RepositoryReference, staged: string) {
    const { ref = "latest" } = reference
    const wanted = ref.toLowerCase() === "latest" ? "HEAD" : ref
    const address = `${server}/${nameOf(reference)}`
    yield* git(reference, folder, ["init", "--quiet", "--template=", staged])
    yield* git(reference, staged, ["fetch", "--quiet", "--depth=1", "--no-tags", "--", address, wanted])
    const commit = yield* git(reference, staged, ["rev-parse", "--verify", "FETCH_HEAD^{commit}"])
    const known = yield* contentIn(join(folder, reference.owner, reference.repository, commit), commit)
    if (Option.isSome(known)) return known.value
    yield* git(reference, staged, ["checkout", "--quiet", "--detach", commit])
    yield* Effect.promise(() => rm(join(staged, ".git"), { recursive: true, force: true }))
    const stray = yield* onDisk(reference)(findStrayLink(staged))
    if (stray !== undefined) {
      const reason = `its link ${relative(staged, stray)} leads out of the repository, or nowhere`
      return yield* unusable(reference, reason, "Nothing of it was kept. Remove the link from the repository.")
    }
    return yield* onDisk(reference)(settle(reference, staged, commit))
  })

  const fetchNow = Effect.fnUntraced(function* (reference: RepositoryReference) {
    yield* onDisk(reference)(makePrivateDirectory(folder))
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => join(folder, `.fetch-${randomUUID()}`)),
      (staged) => checkOut(reference, staged),
      (staged) => Effect.promise(() => rm(staged, { recursive: true, force: true }))
    ).pipe(
      Effect.timeoutFail({
        duration: LIMIT,
        onTimeout: () =>
          unusable(
            reference,
            `fetching it took longer than ${Duration.toSeconds(LIMIT)} seconds`,
            "Clone it and add its folder with 'conductor registry add <name> <folder>'."
          )
      })
    )
  })

  const fetchOnce = yield* Effect.cachedFunction((reference: RepositoryReference) =>
    Effect.gen(function* () {
      const { owner, ref, repository } = reference
      yield* checkReference(reference)
      const known =
        ref !== undefined && isCommit(ref)
          ? yield* contentIn(join(folder, owner, repository, ref), ref)
          : Option.none<RepositoryContent>()
      return Option.isSome(known) ? known.value : yield* fetchNow(reference)
    })
  )

  return Repositories.of({
    fetch: Effect.fn("Repositories.fetch")(({ owner, ref, repository }) =>
      fetchOnce(Data.struct({ owner, repository, ...(ref === undefined ? {} : { ref }) }))
    ),
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
