/** What loading a workflow needs, with exactly the variables that a test gives. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Layer } from "effect"
import { Environment } from "../../src/platform/Environment.ts"

export const languagePlatform = (variables: Readonly<Record<string, string>> = {}) =>
  Layer.merge(NodeContext.layer, Environment.layerOf(variables))
