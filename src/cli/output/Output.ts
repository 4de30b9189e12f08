/** The two streams of the command line: results on stdout, everything said to a person on stderr. */
import { Context, Effect, Layer, Schema } from "effect"
import { sanitiseText } from "../../boundary/Sanitiser.ts"
import { stringifyJson, type Value } from "../../domain/Value.ts"
import { Environment } from "../../platform/Environment.ts"
import { plain, styleFor, type Style } from "./Style.ts"
import { cutToWidth } from "./Table.ts"

/** Nobody reads stdout any more (`conductor runs list | head -1`): there is nothing left to do, and nobody to tell. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {}) {
  override get message(): string {
    return "Nobody reads the output any more."
  }
}

export interface OutputShape {
  /** A result: one or more lines on stdout. */
  readonly print: (text: string) => Effect.Effect<void, OutputClosed>
  /** Progress, notes and errors: stderr. */
  readonly report: (text: string) => Effect.Effect<void>
  /** Replaces the last line written with `progress`; does nothing when stderr is not a terminal. */
  readonly progress: (line: string) => Effect.Effect<void>
  readonly style: Style
  readonly errorStyle: Style
  /** Columns of the terminal that shows stdout; infinite when it is none. */
  readonly width: number
}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void, OutputClosed> =>
  Effect.async((resume) => {
    stream.write(text, (error) => resume(error == null ? Effect.void : Effect.fail(new OutputClosed())))
  })

const eraseLine = "\r\u001b[2K"
const narrowest = 20

const widthOf = (stream: NodeJS.WriteStream): number => Math.max(narrowest, stream.columns || 80)

const make = Effect.gen(function* () {
  const variables = Object.fromEntries((yield* Environment).variables)
  const { stderr, stdout } = process
  const canErase = stderr.isTTY && variables["TERM"] !== "dumb"
  // Without a listener a closed pipe ends the process; here the answer to `write` tells of it.
  stdout.on("error", () => undefined)
  stderr.on("error", () => undefined)
  let progressShown = false
  const erase = (): string => {
    const text = progressShown ? eraseLine : ""
    progressShown = false
    return text
  }
  const say = (text: string) => Effect.ignore(write(stderr, text))
  return Output.of({
    print: (text) =>
      Effect.zipRight(
        Effect.suspend(() => (progressShown ? say(erase()) : Effect.void)),
        write(stdout, `${text}\n`)
      ),
    report: (text) => Effect.suspend(() => say(`${erase()}${text}\n`)),
    progress: (line) =>
      Effect.suspend(() => {
        if (!canErase) return Effect.void
        const before = erase()
        progressShown = true
        return say(before + cutToWidth(line, widthOf(stderr) - 1))
      }),
    style: styleFor(stdout.isTTY, variables),
    errorStyle: styleFor(stderr.isTTY, variables),
    width: stdout.isTTY ? widthOf(stdout) : Number.POSITIVE_INFINITY
  })
})

export interface Recorded {
  readonly stream: "stdout" | "stderr"
  readonly text: string
}

export class Output extends Context.Tag("conductor/Output")<Output, OutputShape>() {
  static readonly layerProcess: Layer.Layer<Output, never, Environment> = Layer.effect(Output, make)

  /** Keeps what was written in `lines`, for tests of commands in-process. */
  static readonly layerRecorder = (lines: Array<Recorded>): Layer.Layer<Output> =>
    Layer.succeed(Output, {
      print: (text) => Effect.sync(() => void lines.push({ stream: "stdout", text })),
      report: (text) => Effect.sync(() => void lines.push({ stream: "stderr", text })),
      progress: () => Effect.void,
      style: plain,
      errorStyle: plain,
      width: Number.POSITIVE_INFINITY
    })
}

/** Text of a workflow or a run, safe to show: escape codes and control characters of its author do nothing. */
export const shown = (text: string): string => sanitiseText(text)

/** The same on one line. */
export const shownInline = (text: string): string => sanitiseText(text).replaceAll(/\s+/g, " ").trim()

/** Characters that JSON allows in a text and that change what a terminal shows. */
const hidden = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** They stand inside of strings only, where JSON has a visible form for them. */
export const printJson = (value: Value) =>
  Effect.flatMap(Output, (output) => output.print(stringifyJson(value, 2).replace(hidden, escaped)))
