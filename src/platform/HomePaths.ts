/**
 * Where conductor keeps its files: one folder, `~/.conductor` unless `$CONDUCTOR_HOME` names another. Computes paths and
 * touches no disk. It is on the way to the first answer of a server, so it must never import Effect.
 */
import { join, resolve } from "node:path"

/** Absolute paths. A path says where a thing belongs, not that it is there. */
export interface HomePaths {
  readonly root: string
  readonly registriesFile: string
  readonly configFile: string
  readonly catalogueCache: string
  /** What was fetched of repositories, by owner, repository and commit. */
  readonly repositories: string
  readonly runs: string
  readonly indexFile: string
}

/** The paths below a root; a relative root is taken from the working directory. */
export const homeOf = (root: string): HomePaths => {
  const absolute = resolve(root)
  return {
    root: absolute,
    registriesFile: join(absolute, "registries.toml"),
    configFile: join(absolute, "config.toml"),
    catalogueCache: join(absolute, "cache", "catalogue"),
    repositories: join(absolute, "cache", "repositories"),
    runs: join(absolute, "store", "runs"),
    indexFile: join(absolute, "store", "index.sqlite")
  }
}

/**
 * The root for an environment. `CONDUCTOR_HOME` replaces `.conductor` itself (run files §1.1), and an empty one counts
 * as unset. A leading `~/` is expanded, because hosts start servers without a shell that would do it.
 */
export const homeRoot = (env: { readonly [name: string]: string | undefined }, userHome: string): string => {
  const configured = env["CONDUCTOR_HOME"]
  if (configured === undefined || configured === "") return join(userHome, ".conductor")
  return /^~[\\/]/.test(configured) ? join(userHome, configured.slice(2)) : resolve(configured)
}
