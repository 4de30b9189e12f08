/** What is asked of git for a reference, and where the commits of it are kept. */
import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { isRepositoryAddress, isRepositoryName, withoutCredentials } from "../domain/RepositoryAddress.ts"
import { isRevision } from "./GitCommand.ts"
import { nameOfRepository, RepositoryError, type RepositoryReference } from "./Repositories.ts"

export const unusable = (reference: RepositoryReference, reason: string, remedy: string): RepositoryError =>
  new RepositoryError({ repository: nameOfRepository(reference), problem: "unusable", reason, remedy })

export const checkReference = Effect.fnUntraced(function* (reference: RepositoryReference) {
  const { ref } = reference
  if ("address" in reference) {
    if (!isRepositoryAddress(reference.address)) {
      return yield* unusable(
        reference,
        "it is no address of a repository",
        "Write https://…, ssh://… or user@host:path."
      )
    }
  } else if (!isRepositoryName(reference.owner) || !isRepositoryName(reference.repository)) {
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

/** A reference, where git finds it, and the folder that holds the commits of it: always two names below the cache. */
export interface GitSource {
  readonly reference: RepositoryReference
  readonly address: string
  readonly folder: string
}

/** Compared by value, without what else its object may hold. */
export const keyOf = (reference: RepositoryReference): RepositoryReference => {
  const version = reference.ref === undefined ? {} : { ref: reference.ref }
  return "address" in reference
    ? Data.struct({ address: reference.address, ...version })
    : Data.struct({ owner: reference.owner, repository: reference.repository, ...version })
}

/** Beside the owners, none of whom can have this name. Whoever fetches it, a commit is the same. */
const ADDRESSED = "@address"

export const sourceOf = (
  reference: RepositoryReference,
  { folder, server }: { readonly folder: string; readonly server: string }
): GitSource => {
  if ("address" in reference) {
    const digest = createHash("sha256").update(withoutCredentials(reference.address)).digest("hex").slice(0, 32)
    return { reference, address: reference.address, folder: join(folder, ADDRESSED, digest) }
  }
  const { owner, repository } = reference
  return { reference, address: `${server}/${owner}/${repository}`, folder: join(folder, owner, repository) }
}
