/** What the options mean for the catalogue, and under which name an earlier catalogue of the same meaning is kept. */
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { CatalogueOptions } from "../catalogue/CatalogueOptions.ts"
import { snapshotKey } from "../catalogue/CatalogueSnapshot.ts"
import { version } from "../platform/Version.ts"
import { reservedNames } from "./definitions/ToolNames.ts"
import type { ServeOptions, Surroundings } from "./ServeFlags.ts"

export interface CatalogueRequest {
  readonly options: CatalogueOptions
  readonly key: string
  /** Absolute path of the snapshot. */
  readonly file: string
}

/** As `homeRoot`, which comes with Effect and would slow down every start. */
const homeFolder = (environment: Surroundings["environment"]): string => {
  const configured = environment["CONDUCTOR_HOME"]
  if (configured === undefined || configured === "") return join(homedir(), ".conductor")
  return /^~[\\/]/.test(configured) ? join(homedir(), configured.slice(2)) : resolve(configured)
}

export const catalogueRequest = (options: ServeOptions, environment: Surroundings["environment"]): CatalogueRequest => {
  const { registries, allow, deny, workflowDirectories, maxDirectTools, toolPrefix } = options
  const asked: CatalogueOptions = {
    registries,
    allow,
    deny,
    workflowDirectories,
    maxDirectTools,
    ...(toolPrefix === undefined ? {} : { toolPrefix }),
    reservedNames
  }
  const home = homeFolder(environment)
  const key = snapshotKey([version, home, JSON.stringify(asked)])
  return { options: asked, key, file: join(home, "cache", "catalogue", `${key}.json`) }
}
