/** How to start the program again as the process of a run: this program with the verb `__run` and the run's folder. */
import { Context, Layer } from "effect"

export class RunEntry extends Context.Tag("conductor/RunEntry")<
  RunEntry,
  {
    readonly command: string
    /** Before the verb. */
    readonly args: ReadonlyArray<string>
  }
>() {
  /** The script that Node was started with, started with the same Node. */
  static readonly layerSelf: Layer.Layer<RunEntry> = Layer.sync(RunEntry, () => ({
    command: process.execPath,
    args: process.argv.slice(1, 2)
  }))

  static layerOf(command: string, args: ReadonlyArray<string>): Layer.Layer<RunEntry> {
    return Layer.succeed(RunEntry, { command, args })
  }
}
