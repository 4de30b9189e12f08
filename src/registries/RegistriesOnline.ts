/** The workflows of this user's registries, and the plugins of repositories: what is in repositories is fetched, once. */
import { Layer } from "effect"
import * as FetchedPluginSources from "./FetchedPluginSources.ts"
import * as GitRepositories from "./GitRepositories.ts"
import * as PathRegistrySource from "./PathRegistrySource.ts"
import * as RegisteredWorkflows from "./RegisteredWorkflows.ts"
import { RegistriesConfig } from "./RegistriesConfig.ts"

export const layer = Layer.merge(RegisteredWorkflows.layer, FetchedPluginSources.layer).pipe(
  Layer.provide([RegistriesConfig.layer, PathRegistrySource.layer, GitRepositories.layer])
)
