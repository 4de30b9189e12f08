/** The two streams of the command line: results on stdout, everything said to a person on stderr. */
import { Context, Effect, Layer } from "effect"
import { sanitiseText } from "../../boundary/Sanitiser.ts"
import { stringifyJson, type Value } from "../../domain/Value.ts"
import { Environment } from "../../platform/Environment.ts"
import { plain, styleFor, type Style } from "./Style.ts"

export interface OutputShape {
  /** A result: one or more lines on stdout. */
  readonly print: (text: string) => Effect.Effect<void>
  /** Progress, notes and errors: stderr. */
  readonly report: (text: string) => Effect.Effect<void>
  /** Replaces the last line written with `progress`; does nothing when stderr is not a terminal. */
  readonly progress: (line: string) => Effect.Effect<void>
  readonly style: Style
  readonly errorStyle: Style
  readonly interactive: boolean
}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    // A reader that went away (`conductor runs list | head -1`) is no failure of ours.
    stream.write(text, () => resume(Effect.void))
  })

const eraseLine = "\r\u001b[2K"

export class Output extends Context.Tag("conductor/Output")<Output, OutputShape>() {
  static readonly layerProcess = Layer.effect(
    Output,
    Effect.gen(function* () {
      const { variables } = yield* Environment
      const interactive = process.stderr.isTTY === true && variables.get("TERM") !== "dumb"
      process.stdout.on("error", () => undefined)
      process.stderr.on("error", () => undefined)
      let pending = false
      const clear = (): string => {
        const prefix = pending ? eraseLine : ""
        pending = false
        return prefix
      }
      return {
        print: (text) =>
          Effect.suspend(() => (pending ? write(process.stderr, clear()) : Effect.void)).pipe(
            Effect.andThen(write(process.stdout, `${text}\n`))
          ),
        report: (text) => Effect.suspend(() => write(process.stderr, `${clear()}${text}\n`)),
        progress: (line) =>
          Effect.suspend(() => {
            if (!interactive) return Effect.void
            const prefix = clear()
            pending = true
            return write(process.stderr, `${prefix}${line.slice(0, (process.stderr.columns || 80) - 1)}`)
          }),
        style: styleFor(process.stdout.isTTY === true, variables),
        errorStyle: styleFor(process.stderr.isTTY === true, variables),
        interactive
      }
    })
  )

  /** Keeps what was written, for tests of the command line in-process. */
  static readonly layerRecorder = (lines: Array<{ readonly stream: "stdout" | "stderr"; readonly text: string }>) =>
    Layer.succeed(Output, {
      print: (text) => Effect.sync(() => void lines.push({ stream: "stdout", text })),
      report: (text) => Effect.sync(() => void lines.push({ stream: "stderr", text })),
      progress: () => Effect.void,
      style: plain,
      errorStyle: plain,
      interactive: false
    })
}

/** Text of a workflow or a run, safe to show: escape codes and control characters of its author do nothing. */
export const shown = (text: string): string => sanitiseText(text)

/** The same on one line. */
export const shownInline = (text: string): string => sanitiseText(text).replaceAll(/\s+/g, " ").trim()

export const printJson = (value: Value) =>
  Effect.flatMap(Output, (output) => output.print(stringifyJson(value, 2)))
