/** The port to repositories that hold workflows: the content of one commit, in a folder that never changes. */
import { Context, Layer, Option, Schema, type Effect } from "effect"
import { withoutCredentials } from "../domain/RepositoryAddress.ts"

interface AtCommit {
  /** A branch, a tag or a whole commit id. Left out, or `latest`: the branch that the repository calls its default. */
  readonly ref?: string
}

/** On the server that short names mean. */
interface NamedRepository extends AtCommit {
  readonly owner: string
  readonly repository: string
}

/** `https://…`, `ssh://…` or `user@host:path`. */
interface AddressedRepository extends AtCommit {
  readonly address: string
}

export type RepositoryReference = NamedRepository | AddressedRepository

/** For people. */
export const nameOfRepository = (reference: RepositoryReference): string =>
  "address" in reference ? withoutCredentials(reference.address) : `${reference.owner}/${reference.repository}`

export interface RepositoryContent {
  /** Real path of a folder that holds the files of the commit and nothing else. */
  readonly root: string
  /** 40 hexadecimal digits. */
  readonly commit: string
}

/** `not-asked`: this process does not use the network. `unusable`: it cannot be fetched, or must not be used. */
export class RepositoryError extends Schema.TaggedError<RepositoryError>()("RepositoryError", {
  repository: Schema.String,
  problem: Schema.Literal("not-asked", "unusable"),
  reason: Schema.String,
  remedy: Schema.String
}) {
  override get message(): string {
    return `Repository '${this.repository}': ${this.reason}. ${this.remedy}`
  }
}

export interface RepositoriesShape {
  /** A reference leads to one commit for as long as the layer lives. */
  readonly fetch: (reference: RepositoryReference) => Effect.Effect<RepositoryContent, RepositoryError>
  /** The `root` that an absolute path lies in, if it lies in one. */
  readonly rootOf: (path: string) => Option.Option<string>
}

export class Repositories extends Context.Tag("conductor/Repositories")<Repositories, RepositoriesShape>() {
  /** For whoever only looks: nothing is fetched. */
  static readonly layerOffline: Layer.Layer<Repositories> = Layer.succeed(Repositories, {
    rootOf: Option.none,
    fetch: (reference) =>
      new RepositoryError({
        repository: nameOfRepository(reference),
        problem: "not-asked",
        reason: "it is not fetched here",
        remedy: "A run fetches it when it starts."
      })
  })
}
