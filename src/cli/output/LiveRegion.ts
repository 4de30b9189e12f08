/**
 * The lines at the bottom of a terminal that are drawn again in place. Pure: from what stands there to what has to be
 * written. Whatever is said meanwhile goes above them.
 */
import stringWidth from "string-width"

/** In columns and lines. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** A terminal that became narrower since the lines were drawn has wrapped them. */
const rowsOf = (lines: ReadonlyArray<string>, { columns }: ScreenSize): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0)

/** Takes the lines away; the cursor is behind the last of them, and afterwards where the first began. */
export const eraseLines = (lines: ReadonlyArray<string>, size: ScreenSize): string => {
  if (lines.length === 0) return ""
  const above = rowsOf(lines, size) - 1
  return `\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[J`
}

/** The cursor stays behind the last line, which is where a person types. */
export const drawLines = (lines: ReadonlyArray<string>): string => lines.join("\n")
