/** Regular expressions of workflow files. They are written for Python, whose spellings differ in a few places. */
import { Either } from "effect"

const INLINE_FLAGS = /^\(\?([aimsux]+)\)/

const translate = (pattern: string): string =>
  pattern
    .replaceAll("(?P<", "(?<")
    .replace(/\(\?P=(\w+)\)/g, "\\k<$1>")
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, "$1^")
    .replace(/(?<!\\)((?:\\\\)*)\\Z/g, "$1$$")

const compile = (source: string, flags: string): Either.Either<RegExp, string> =>
  Either.try({
    try: () => new RegExp(source, flags),
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })

/**
 * A regular expression to search with, or why there is none. Falls back to the lenient syntax without `u`, because Python
 * allows needless escapes such as `\-` and `\ ` that the strict one refuses.
 */
export const compilePattern = (pattern: string): Either.Either<RegExp, string> => {
  const inline = INLINE_FLAGS.exec(pattern)
  const flags = [...new Set(inline?.[1] ?? "")].filter((flag) => "ims".includes(flag)).join("")
  const source = translate(inline === null ? pattern : pattern.slice(inline[0].length))
  return Either.orElse(compile(source, `${flags}u`), () => compile(source, flags))
}
