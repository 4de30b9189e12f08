/** The two streams of the command line: results on stdout, everything said to a person on stderr. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { revealHidden } from "../../boundary/HiddenCharacters.ts"
import { stringifyJson, type Value } from "../../domain/Value.ts"
import { Environment } from "../../platform/Environment.ts"
import { drawLines, eraseLines, type ScreenSize } from "./LiveRegion.ts"
import { plain, styleFor, type Style } from "./Style.ts"

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
  /** The terminal that shows stderr, as large as it is now; none when it is no terminal or cannot be drawn on. */
  readonly screen: Effect.Effect<Option.Option<ScreenSize>>
  /**
   * Replaces the lines at the bottom of `screen`; no lines take them away. They must fit: one row a line, and fewer than
   * the screen has. Does nothing without a screen.
   */
  readonly region: (lines: ReadonlyArray<string>) => Effect.Effect<void>
  readonly style: Style
  readonly errorStyle: Style
  /** Columns of the terminal that shows stdout; infinite when it is none. */
  readonly width: number
}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void, OutputClosed> =>
  Effect.async((resume) => {
    stream.write(text, (error) => resume(error == null ? Effect.void : Effect.fail(new OutputClosed())))
  })

const narrowest = 20
/** What a terminal has that does not say how large it is. */
const usual: ScreenSize = { columns: 80, rows: 24 }

const sizeOf = (stream: NodeJS.WriteStream): ScreenSize => ({
  columns: stream.columns || usual.columns,
  rows: stream.rows || usual.rows
})

/** For whom something is drawn. What does not fit into a terminal that is narrower still is wrapped by it. */
const drawableSize = (stream: NodeJS.WriteStream): ScreenSize => {
  const { columns, rows } = sizeOf(stream)
  return { columns: Math.max(narrowest, columns), rows }
}

const make = Effect.gen(function* () {
  const variables = Object.fromEntries((yield* Environment).variables)
  const { stderr, stdout } = process
  const canDraw = stderr.isTTY && variables["TERM"] !== "dumb"
  // Without a listener a closed pipe ends the process; here the answer to `write` tells of it.
  stdout.on("error", () => undefined)
  stderr.on("error", () => undefined)
  let drawn: ReadonlyArray<string> = []
  let drawnAt = drawableSize(stderr)
  const say = (text: string) => (text === "" ? Effect.void : Effect.ignore(write(stderr, text)))
  const erase = () => eraseLines(drawn, sizeOf(stderr))
  const isDrawn = (lines: ReadonlyArray<string>, { columns }: ScreenSize): boolean =>
    columns === drawnAt.columns && lines.length === drawn.length && lines.every((line, at) => line === drawn[at])
  return Output.of({
    print: (text) =>
      Effect.suspend(() =>
        // A terminal shows both streams; elsewhere stderr has no lines to move out of the way.
        say(erase()).pipe(Effect.zipRight(write(stdout, `${text}\n`)), Effect.zipLeft(say(drawLines(drawn))))
      ),
    report: (text) => Effect.suspend(() => say(`${erase()}${text}\n${drawLines(drawn)}`)),
    screen: Effect.sync(() => (canDraw ? Option.some(drawableSize(stderr)) : Option.none())),
    region: (lines) =>
      Effect.suspend(() => {
        const size = drawableSize(stderr)
        if (!canDraw || isDrawn(lines, size)) return Effect.void
        const before = erase()
        drawn = lines
        drawnAt = size
        return say(before + drawLines(lines))
      }),
    style: styleFor(stdout.isTTY, variables),
    errorStyle: styleFor(stderr.isTTY, variables),
    width: stdout.isTTY ? drawableSize(stdout).columns : Number.POSITIVE_INFINITY
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
      screen: Effect.succeedNone,
      region: () => Effect.void,
      style: plain,
      errorStyle: plain,
      width: Number.POSITIVE_INFINITY
    })
}

/** Text of a workflow or a run, literally: escape codes, control and hidden characters of its author are shown, not obeyed. */
export const shown = (text: string): string => revealHidden(text)

/** The same on one line. */
export const shownInline = (text: string): string => revealHidden(text.replaceAll(/\s+/g, " ").trim())

/** Characters that JSON allows in a text and that change what a terminal shows. */
const hidden = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** They stand inside of strings only, where JSON has a visible form for them. */
const visibleJson = (text: string): string => text.replace(hidden, escaped)

export const printJson = (value: Value) =>
  Effect.flatMap(Output, (output) => output.print(visibleJson(stringifyJson(value, 2))))

/** The same on one line, for programs that read line by line. */
export const printJsonLine = (value: Value) =>
  Effect.flatMap(Output, (output) => output.print(visibleJson(stringifyJson(value))))
