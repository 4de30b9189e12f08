/**
 * The paths that an index may name: a file below the registry's own folder, on every operating system. Pure; whether a
 * symbolic link leads out is seen only on the disk (`RootedFile`).
 */
import { Either } from "effect"

const longestPath = 1_024
/** Windows opens a device for these, whatever folder and extension they have. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?: *\..*)?$/i
/** Octets that turn into a dot, a separator, a percent sign or NUL when something decodes the path once more. */
const encodedTraversal = /%(?:2e|2f|5c|25|00)/i

const segmentProblem = (segment: string): string | undefined => {
  if (segment === "..") return "it leaves the registry's folder with '..'"
  if (segment.includes(":")) return "it has a ':' (a drive or a stream of Windows)"
  if (/[. ]$/.test(segment)) return "a part of it ends with a dot or a blank, which Windows drops"
  return deviceName.test(segment) ? `'${segment}' is the name of a device on Windows` : undefined
}

/** The path with `/` between its parts and without empty ones, or the reason why it is refused. */
export const parseEntryPath = (text: string): Either.Either<string, string> => {
  const path = text.replaceAll("\\", "/")
  if (path.trim() === "") return Either.left("the path is empty")
  if (path.length > longestPath) return Either.left(`the path is longer than ${longestPath} characters`)
  if (/\p{Cc}/u.test(path)) return Either.left("the path has a control character")
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return Either.left("the path is absolute; it must be relative")
  if (encodedTraversal.test(path)) return Either.left("the path has an encoded dot, separator, percent sign or NUL")
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".")
  const problem = segments.map(segmentProblem).find((reason) => reason !== undefined)
  if (problem !== undefined) return Either.left(`the path is unsafe: ${problem}`)
  return segments.length === 0 ? Either.left("the path names no file") : Either.right(segments.join("/"))
}
