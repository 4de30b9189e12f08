/** The port to the person in front of the terminal: whether there is one who can be asked, and what they type. */
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import type { UserInput } from "@effect/platform/Terminal"
import { Context, Effect, Layer, Mailbox, Option, Stream, type Scope } from "effect"
import { Output } from "../output/Output.ts"

export type Key = UserInput

export class Keyboard extends Context.Tag("conductor/Keyboard")<
  Keyboard,
  {
    /** Somebody sees what is asked and can type an answer. */
    readonly isAttended: Effect.Effect<boolean>
    /**
     * Once this has succeeded, each key is heard, Ctrl-C too, and none is echoed. Before, and after the scope, the terminal
     * is as a shell leaves it, so that Ctrl-C and Ctrl-Z are signals.
     */
    readonly listen: Effect.Effect<Stream.Stream<Key>, never, Scope.Scope>
  }
>() {
  static readonly layerProcess: Layer.Layer<Keyboard, never, Output> = Layer.scoped(
    Keyboard,
    Effect.gen(function* () {
      const { screen } = yield* Output
      // No key ends the input: what Ctrl-C means is for the command to say.
      const terminal = yield* NodeTerminal.make(() => false)
      return {
        isAttended: Effect.map(screen, (size) => process.stdin.isTTY && Option.isSome(size)),
        listen: Effect.map(terminal.readInput, Mailbox.toStream)
      }
    })
  )

  static readonly layerNobody: Layer.Layer<Keyboard> = Layer.succeed(Keyboard, {
    isAttended: Effect.succeed(false),
    listen: Effect.succeed(Stream.never)
  })
}
