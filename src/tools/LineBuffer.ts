/** Cuts what comes through a pipe into lines. Each byte is copied once, however long a line gets. */
export class LineBuffer {
  private readonly chunks: Array<Buffer> = []
  private size = 0

  /** `limit`: bytes of the longest line. */
  constructor(private readonly limit: number) {}

  /** The lines that have come to their end, without it. Throws a `RangeError` for a line that is longer than the limit. */
  push(chunk: Buffer): ReadonlyArray<string> {
    const lines: Array<string> = []
    let start = 0
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      this.keep(chunk.subarray(start, end))
      lines.push(this.take())
      start = end + 1
    }
    this.keep(chunk.subarray(start))
    return lines
  }

  private keep(part: Buffer): void {
    this.size += part.length
    if (this.size > this.limit) throw new RangeError(`a line is longer than ${this.limit} bytes`)
    if (part.length > 0) this.chunks.push(part)
  }

  private take(): string {
    const line = Buffer.concat(this.chunks.splice(0)).toString("utf8")
    this.size = 0
    return line
  }
}
