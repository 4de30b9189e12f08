/** The registries of this user: `registries.toml` of their home, and the folders that it names. */
import { Layer } from "effect"
import { Home } from "../platform/Home.ts"
import * as PathRegistrySource from "./PathRegistrySource.ts"
import { RegistriesConfig } from "./RegistriesConfig.ts"

export const RegistriesLive = Layer.mergeAll(RegistriesConfig.layer, PathRegistrySource.layer).pipe(
  Layer.provideMerge(Home.layer)
)
