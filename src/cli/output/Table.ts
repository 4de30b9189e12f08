/** Aligned columns. Widths count what a terminal shows, so that wide characters and emoji do not shift a column. */
import stringWidth from "string-width"

export interface Column {
  readonly title: string
  readonly align?: "left" | "right"
}

const pad = (text: string, width: number, align: "left" | "right"): string => {
  const blank = " ".repeat(Math.max(0, width - stringWidth(text)))
  return align === "right" ? blank + text : text + blank
}

/** One line a row, two blanks between columns, no trailing blanks. Cells may hold escape codes of a `Style`. */
export const renderTable = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  emphasise: (title: string) => string
): string => {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((width, row) => Math.max(width, stringWidth(row[index] ?? "")), stringWidth(title))
  )
  const line = (cells: ReadonlyArray<string>): string =>
    columns
      .map(({ align = "left" }, index) => pad(cells[index] ?? "", widths[index] ?? 0, align))
      .join("  ")
      .trimEnd()
  return [line(columns.map(({ title }) => emphasise(title))), ...rows.map(line)].join("\n")
}
