/** A page of a list as a tool result. The text block may hold fewer items than the structured one; both say where to go on. */
import type { JsonObject, ToolResult } from "./ToolSurface.ts"
import { largestText } from "./RunAnswer.ts"

/** Bytes: far below what a client takes in one message, and about as much as a model should be given at once. */
const largestPage = 65_536

export interface Page {
  /** The name of the list in the result. */
  readonly key: string
  /** The items from `offset`, at most as many as were asked for. They have passed the boundary. */
  readonly items: ReadonlyArray<JsonObject>
  /** Stands for an item that is too large for the text block. */
  readonly brief: (item: JsonObject) => JsonObject
  readonly offset: number
  readonly total: number
  readonly rest?: JsonObject
  readonly next: (nextOffset: number | undefined) => string
}

const sizeOf = (value: JsonObject): number => Buffer.byteLength(JSON.stringify(value))

const render = ({ key, offset, total, rest, next }: Page, items: ReadonlyArray<JsonObject>): JsonObject => {
  const end = offset + items.length
  const nextOffset = end < total ? end : undefined
  return {
    [key]: items,
    total,
    ...(nextOffset === undefined ? {} : { next_offset: nextOffset }),
    ...rest,
    next: next(nextOffset)
  }
}

/** As many items as fit, but at least one, so that reading on always ends. */
const fit = (page: Page, maxBytes: number, first: (item: JsonObject) => JsonObject): JsonObject => {
  const frame = sizeOf(render(page, [])) + 64
  const kept: Array<JsonObject> = []
  let size = frame
  for (const item of page.items) {
    const shown = kept.length === 0 && frame + sizeOf(item) > maxBytes ? first(item) : item
    size += sizeOf(shown) + 1
    if (kept.length > 0 && size > maxBytes) break
    kept.push(shown)
  }
  return render(page, kept)
}

export const pageAnswer = (page: Page): ToolResult => ({
  structuredContent: fit(page, largestPage, (item) => item),
  text: JSON.stringify(fit(page, largestText, page.brief)),
  isError: false
})
