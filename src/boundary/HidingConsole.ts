/** For a process whose streams are kept in files: what it says goes there without the secrets that it knows. */
import { Console, Effect } from "effect"

type Words = ReadonlyArray<unknown>

/** Loggers write to the console, too. */
export const hidingOnConsole =
  (hideText: (text: string) => string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const hidden = (words: Words): Words => words.map((word) => (typeof word === "string" ? hideText(word) : word))
    return Console.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        error: (...words: Words) => console.error(...hidden(words)),
        log: (...words: Words) => console.log(...hidden(words)),
        warn: (...words: Words) => console.warn(...hidden(words)),
        unsafe: {
          ...console.unsafe,
          error: (...words: Words) => console.unsafe.error(...hidden(words)),
          log: (...words: Words) => console.unsafe.log(...hidden(words)),
          warn: (...words: Words) => console.unsafe.warn(...hidden(words))
        }
      })
    )
  }
