/** Parts of a long text by bytes of UTF-8, never inside a character: how a large output is read piece by piece. */

export interface TextPage {
  readonly text: string
  /** Bytes before the part; at most what was asked for, since a part begins with a whole character. */
  readonly offset: number
  readonly total_bytes: number
  /** Absent after the last part. */
  readonly next_offset?: number
}

const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** At least one character long, so that reading on always ends, unless `offset` is at or behind the end. */
export const textPage = (text: string, offset: number, limit: number): TextPage => {
  const bytes = Buffer.from(text, "utf8")
  let start = Math.min(offset, bytes.length)
  while (continues(bytes[start])) start--
  let end = Math.min(start + limit, bytes.length)
  while (end > start && continues(bytes[end])) end--
  if (end === start && start < bytes.length) {
    end++
    while (continues(bytes[end])) end++
  }
  return {
    text: bytes.toString("utf8", start, end),
    offset: start,
    total_bytes: bytes.length,
    ...(end < bytes.length ? { next_offset: end } : {})
  }
}

/** The beginning of a page whose text takes at most `maxBytes` as a JSON string, where escaping makes it longer. */
export const shorterPage = (page: TextPage, maxBytes: number): TextPage => {
  const { next_offset: _, ...rest } = page
  let limit = Math.max(1, maxBytes)
  for (;;) {
    const { text } = textPage(page.text, 0, limit)
    const size = Buffer.byteLength(JSON.stringify(text))
    if (size <= maxBytes || limit === 1) {
      const end = page.offset + Buffer.byteLength(text)
      return { ...rest, text, ...(end < page.total_bytes ? { next_offset: end } : {}) }
    }
    limit = Math.max(1, Math.floor((limit * maxBytes) / size) - 1)
  }
}
