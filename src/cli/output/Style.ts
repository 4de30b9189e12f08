/** Emphasis for people: escape codes on a terminal, nothing anywhere else. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
}

const code =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`

const coloured: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39)
}

const unchanged = (text: string): string => text

export const plain: Style = { bold: unchanged, dim: unchanged, red: unchanged, green: unchanged, yellow: unchanged }

/** NO_COLOR and FORCE_COLOR as the field has agreed on them: set and not empty. */
export const styleFor = (
  isTerminal: boolean | undefined,
  variables: Readonly<Record<string, string | undefined>>
): Style => {
  if (variables["NO_COLOR"]) return plain
  return isTerminal || variables["FORCE_COLOR"] ? coloured : plain
}
