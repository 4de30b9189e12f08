/**
 * Looks for a pattern that a workflow's author wrote in text that a model wrote. Such a pair can backtrack for ever, so
 * the search runs where it can be stopped: V8 interrupts a regular expression only inside a script with a time limit.
 */
import { Either } from "effect"
import { createContext, runInContext } from "node:vm"
import { compilePattern } from "../language/Pattern.ts"

const LIMIT_MILLISECONDS = 1000

export type Search = "found" | "absent" | "too-slow"

/** The event loop waits meanwhile: at most a second. A pattern that does not compile was refused by the loader. */
export const searchPattern = (pattern: string, text: string): Search =>
  Either.match(compilePattern(pattern), {
    onLeft: () => "absent",
    onRight: (expression) => {
      const context = createContext({ expression, text })
      const outcome = Either.try(() => runInContext("expression.test(text)", context, { timeout: LIMIT_MILLISECONDS }))
      return Either.match(outcome, {
        onLeft: () => "too-slow",
        onRight: (matched) => (matched === true ? "found" : "absent")
      })
    }
  })
