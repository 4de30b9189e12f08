/** The workflows of this user's registries, folders and repositories alike; the latter are fetched. */
import { Layer } from "effect"
import * as GitRepositories from "./GitRepositories.ts"
import * as PathRegistrySource from "./PathRegistrySource.ts"
import * as RegisteredWorkflows from "./RegisteredWorkflows.ts"
import { RegistriesConfig } from "./RegistriesConfig.ts"

export const layer = RegisteredWorkflows.layer.pipe(
  Layer.provide([RegistriesConfig.layer, PathRegistrySource.layer, GitRepositories.layer])
)
