/** The home folder as a service, so that a test or an embedder can give another one. */
import { Context, Layer } from "effect"
import { homedir } from "node:os"
import { homeOf, homeRoot, type HomePaths } from "./HomePaths.ts"

export class Home extends Context.Tag("conductor/Home")<Home, HomePaths>() {
  /** The home that the environment of this process names. */
  static readonly layer: Layer.Layer<Home> = Layer.sync(Home, () => homeOf(homeRoot(process.env, homedir())))

  static layerAt(root: string): Layer.Layer<Home> {
    return Layer.succeed(Home, homeOf(root))
  }
}
