/** Fills texts up to a width counted in characters. */
import type { Budget } from "./Budget.ts"
import { lengthOf } from "./Characters.ts"

export type Alignment = "<" | ">" | "^"

export interface Padding {
  readonly width: number
  /** One character. */
  readonly fill: string
  readonly align: Alignment
}

export const pad = (text: string, { align, fill, width }: Padding, budget: Budget): string => {
  const missing = width - lengthOf(text)
  if (missing <= 0) return text
  budget.allocate(width)
  if (align === "<") return text + fill.repeat(missing)
  if (align === ">") return fill.repeat(missing) + text
  const left = Math.floor(missing / 2)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

/** `str.center` of the host language puts the odd character left only when the width is odd. */
export const center = (text: string, width: number, fill: string, budget: Budget): string => {
  const missing = width - lengthOf(text)
  if (missing <= 0) return text
  budget.allocate(width)
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}
