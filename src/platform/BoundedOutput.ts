/**
 * Collects what a process prints, up to a limit, and counts the rest. It always takes what it is given, so a writer is
 * never blocked by a reader that has had enough.
 */
import { StringDecoder } from "node:string_decoder"

const FIRST_CAPACITY = 16 * 1024

export class BoundedOutput {
  // One growing buffer instead of a list of chunks: a million chunks of one byte must not cost a million objects.
  private buffer = Buffer.alloc(0)
  private kept = 0
  private seen = 0

  /** `limit` in bytes. */
  constructor(private readonly limit: number) {}

  push(chunk: Uint8Array): void {
    this.seen += chunk.length
    const head = chunk.subarray(0, this.limit - this.kept)
    if (head.length === 0) return
    this.reserve(this.kept + head.length)
    this.buffer.set(head, this.kept)
    this.kept += head.length
  }

  /** UTF-8 with U+FFFD for what is not; after a cut, whole characters only and a line that says how much was cut. */
  text(): string {
    const head = this.buffer.subarray(0, this.kept)
    if (this.seen === this.kept) return head.toString("utf8")
    return `${new StringDecoder("utf8").write(head)}\n[output cut: ${this.kept} of ${this.seen} bytes kept]`
  }

  private reserve(size: number): void {
    if (size <= this.buffer.length) return
    const grown = Buffer.alloc(Math.min(this.limit, Math.max(size, this.buffer.length * 2, FIRST_CAPACITY)))
    grown.set(this.buffer.subarray(0, this.kept))
    this.buffer = grown
  }
}
