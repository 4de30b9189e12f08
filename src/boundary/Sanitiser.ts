/**
 * Makes text from workflow files, runs and logs harmless for a model that reads it. Pure, total, linear in the length,
 * and idempotent: cleaning what is clean changes nothing. Secrets are not its business (see `Redactor`).
 */
import { removeEscapeSequences, removeHidden, removeInvisible } from "./HiddenCharacters.ts"

/** In code points (MCP serve §2.5). */
export const maxDescriptionLength = 500

const blank = String.raw`[^\S\n]{0,64}`
const roleLine = new RegExp(`^${blank}(?:(?:system|assistant)${blank}:${blank})+`, "gim")
const angleMarker = /<(\s{0,8}\/?\s{0,8}(?:system|assistant|instructions?)\s{0,8})>/gi
const squareMarker = /\[(\s{0,8}\/?\s{0,8}(?:system|inst|instructions?)\s{0,8})\]/gi
const specialToken = /<\|([^|<>]{0,64})\|>/g

const leadingRoles = /^(?:\s*(?:system|assistant)\s*:)+/i

const removeMarkers = (line: string): string =>
  line.replace(angleMarker, "").replace(squareMarker, "").replace(specialToken, "").replace(leadingRoles, "")

const squeeze = (text: string): string => text.replace(/[ \t]+/g, " ").trim()

/** Removing a marker can join the halves of another one; text that keeps doing so is an attack and loses its brackets. */
const removeNestedMarkers = (text: string): string => {
  let current = squeeze(text)
  for (let round = 0; round < 8; round++) {
    const next = squeeze(removeMarkers(current))
    if (next === current) return current
    current = next
  }
  return squeeze(removeMarkers(squeeze(current.replace(/[<>[\]]/g, " "))))
}

const extendsCluster = /^(?:[\p{Mark}\p{Emoji_Modifier}\u{e0020}-\u{e007f}]|\u200c|\u200d)/u
const longestCluster = 32

/**
 * Shortens a cut-off beginning so that it does not end inside an emoji or an accented letter, and never in a joiner
 * that has lost its partner. `next` is what came after the cut.
 */
const endAtCluster = (beginning: ReadonlyArray<string>, next: string | undefined): string => {
  let end = beginning.length
  let after = next
  for (let steps = 0; steps < longestCluster && end > 0; steps++) {
    const last = beginning[end - 1]
    if (after === undefined || (!extendsCluster.test(after) && last !== "\u200d" && last !== "\u200c")) break
    after = last
    end--
  }
  return beginning
    .slice(0, end)
    .join("")
    .replace(/[\u200c\u200d]+$/, "")
}

const capCodePoints = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const points = Array.from(text.slice(0, 2 * limit + 2))
  if (points.length <= limit) return text
  return `${endAtCluster(points.slice(0, limit - 1), points[limit - 1]).trimEnd()}…`
}

/**
 * One line of at most 500 code points for the description of a tool or parameter (MCP serve §2.5). Markers of roles and
 * special tokens are removed, also at the beginning of what was a line of its own.
 */
export const sanitiseDescription = (text: string): string => {
  const lines = removeInvisible(
    removeEscapeSequences(text.toWellFormed())
      .replace(/\r\n?|[\x85\u2028\u2029]/g, "\n")
      .replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, " ")
  )
  return capCodePoints(removeNestedMarkers(lines.replace(roleLine, "").replace(/\n/g, " ")), maxDescriptionLength)
}

const mayHoldMarker = /[<[:\r\x85\u2028\u2029]/

const weakenMarkers = (text: string): string =>
  text
    .replace(/\r\n?|[\x85\u2028\u2029]/g, "\n")
    .replace(angleMarker, "＜$1＞")
    .replace(squareMarker, "［$1］")
    .replace(specialToken, "＜|$1|＞")
    .replace(roleLine, (marker) => marker.replace(/:/g, "："))

/**
 * Text of any length and many lines: outputs, prompts of gates, errors, logs. Keeps `\n` and `\t`. Markers stay readable,
 * since they may be data (an XML element `<system>`), but their delimiters become full-width forms, which no
 * chat template takes for its own.
 */
export const sanitiseText = (text: string): string => {
  const visible = removeHidden(text)
  return mayHoldMarker.test(visible) ? weakenMarkers(visible) : visible
}

const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")

/**
 * At most `maxBytes` bytes of UTF-8, a visible note of what was cut included (when it fits). Never cuts inside a code
 * point, nor inside an emoji or accented letter.
 */
export const capBytes = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text, "utf8")
  if (bytes.length <= maxBytes) return text
  const beginning = (size: number): string => {
    let end = Math.max(0, size)
    while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    const tail = bytes.toString("utf8", end, end + 4)
    // Only the last cluster matters; splitting a megabyte into code points for it would be waste.
    const kept = bytes.toString("utf8", 0, end)
    const window = Array.from(kept.slice(-2 * longestCluster - 2).toWellFormed())
    const settled = endAtCluster(window, Array.from(tail)[0])
    return kept.slice(0, kept.length - (window.join("").length - settled.length))
  }
  const note = (kept: number): string => `\n… [cut: ${grouped(bytes.length - kept)} of ${grouped(bytes.length)} bytes]`
  // The note is never longer than the one which says that everything was cut.
  const room = maxBytes - Buffer.byteLength(note(0))
  if (room < 0) return beginning(maxBytes)
  const kept = beginning(room)
  return kept + note(Buffer.byteLength(kept))
}
