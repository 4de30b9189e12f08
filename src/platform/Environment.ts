/** The environment variables that a workflow file may refer to, as a value, so that tests and tools can give their own. */
import { Context, Layer } from "effect"

export interface EnvironmentShape {
  readonly variables: ReadonlyMap<string, string>
}

export class Environment extends Context.Tag("conductor/Environment")<Environment, EnvironmentShape>() {
  /** Exactly these variables and no others. */
  static layerOf(variables: Readonly<Record<string, string | undefined>>): Layer.Layer<Environment> {
    return Layer.succeed(Environment, environmentOf(variables))
  }

  /** The variables of this process, read once when the layer is built. */
  static readonly layerProcess: Layer.Layer<Environment> = Layer.sync(Environment, () => environmentOf(process.env))
}

const environmentOf = (variables: Readonly<Record<string, string | undefined>>): EnvironmentShape => ({
  variables: new Map(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )
})
