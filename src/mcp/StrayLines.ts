/** Notices text on stdin that is no protocol: the SDK drops it in silence, and whoever sends it deserves to hear why. */
import type { Readable } from "node:stream"

const newline = 0x0a
/** A message is an object; blank lines and line ends of other systems do no harm. */
const openings: ReadonlySet<number> = new Set([..."{ \t\r\n"].map((character) => character.charCodeAt(0)))

/**
 * Calls `report` once, at the first line that does not begin like a message. Only looks at line beginnings, so that it
 * costs nothing. Must be called when the protocol already listens: a first listener would take its data.
 */
export const reportStrayLines = (input: Readable, report: (error: Error) => void): void => {
  let atBeginning = true
  const look = (chunk: Buffer): void => {
    let start = 0
    while (start < chunk.length) {
      if (atBeginning && !openings.has(chunk[start] ?? newline)) {
        input.off("data", look)
        report(new Error("a line on stdin is no JSON-RPC message; it and all others like it are ignored"))
        return
      }
      const end = chunk.indexOf(newline, start)
      atBeginning = end >= 0
      start = end < 0 ? chunk.length : end + 1
    }
  }
  input.on("data", look)
}
