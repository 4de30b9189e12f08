/** Aligned columns. Widths count what a terminal shows, so that wide characters and emoji do not shift a column. */
import stringWidth from "string-width"

export interface Column {
  readonly title: string
  readonly align?: "left" | "right"
}

export interface TableStyle {
  readonly title: (text: string) => string
  /** Columns of the terminal: what is too long for it is cut at the end of its line. */
  readonly width: number
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** At most `width` columns, with an ellipsis for what is missing. For text without escape codes. */
export const cutToWidth = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let kept = ""
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}

/** The end of the text, at most `width` columns of it, with an ellipsis for what is before. For text without escape codes. */
export const keepEnd = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let kept = ""
  let used = 1
  for (const { segment } of [...graphemes.segment(text)].toReversed()) {
    used += stringWidth(segment)
    if (used > width) break
    kept = segment + kept
  }
  return `…${kept}`
}

/** For text without escape codes, or with codes that take no columns. */
export const padToWidth = (text: string, width: number, align: "left" | "right"): string => {
  const blank = " ".repeat(Math.max(0, width - stringWidth(text)))
  return align === "right" ? blank + text : text + blank
}

const gap = "  "
/** A last column narrower than this says nothing: then lines are left to wrap. */
const narrowest = 12

/**
 * One line a row, two blanks between columns, no trailing blanks. Cells may hold escape codes of a `Style`, but for those
 * of the last column, which is cut to fit.
 */
export const renderTable = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  style: TableStyle
): string => {
  const last = columns.length - 1
  const natural = columns.map(({ title }, index) =>
    rows.reduce((width, row) => Math.max(width, stringWidth(row[index] ?? "")), stringWidth(title))
  )
  const before = natural.slice(0, last).reduce((sum, width) => sum + width + gap.length, 0)
  const room = Math.max(narrowest, style.width - before)
  const line = (cells: ReadonlyArray<string>): string =>
    columns
      .map(({ align = "left" }, index) => {
        const cell = cells[index] ?? ""
        return padToWidth(index === last ? cutToWidth(cell, room) : cell, natural[index] ?? 0, align)
      })
      .join(gap)
      .trimEnd()
  return [style.title(line(columns.map(({ title }) => title))), ...rows.map(line)].join("\n")
}
