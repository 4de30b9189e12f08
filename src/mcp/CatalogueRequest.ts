/** What the options mean for the catalogue, and under which name an earlier catalogue of the same meaning is kept. */
import { homedir } from "node:os"
import { join } from "node:path"
import type { CatalogueOptions } from "../catalogue/CatalogueOptions.ts"
import { snapshotKey, snapshotName } from "../catalogue/CatalogueSnapshot.ts"
import { homeOf, homeRoot } from "../platform/HomePaths.ts"
import { version } from "../platform/Version.ts"
import { reservedNames } from "./definitions/ToolNames.ts"
import type { ServeOptions, Surroundings } from "./ServeFlags.ts"

export interface CatalogueRequest {
  readonly options: CatalogueOptions
  readonly key: string
  /** Absolute path of the snapshot. */
  readonly file: string
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
  const { catalogueCache, root } = homeOf(homeRoot(environment, homedir()))
  const key = snapshotKey([version, root, JSON.stringify(asked)])
  return { options: asked, key, file: join(catalogueCache, snapshotName(key)) }
}
