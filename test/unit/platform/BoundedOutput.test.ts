import { describe, expect, it } from "vitest"
import { BoundedOutput } from "../../../src/platform/BoundedOutput.ts"

const collect = (limit: number, chunks: ReadonlyArray<Uint8Array>): string => {
  const output = new BoundedOutput(limit)
  for (const chunk of chunks) output.push(chunk)
  return output.text()
}

const bytes = (text: string): Buffer => Buffer.from(text, "utf8")

describe("BoundedOutput", () => {
  it("gives back what fits, also when a character is split between two chunks", () => {
    const euro = bytes("a€b")
    expect(collect(100, [euro.subarray(0, 2), euro.subarray(2)])).toBe("a€b")
  })

  it("keeps exactly the limit without a note", () => {
    expect(collect(3, [bytes("ab"), bytes("c")])).toBe("abc")
  })

  it("keeps the head, says how much was cut, and goes on taking", () => {
    expect(collect(4, [bytes("abc"), bytes("def"), bytes("ghi")])).toBe("abcd\n[output cut: 4 of 9 bytes kept]")
  })

  it("never cuts a character in two", () => {
    expect(collect(3, [bytes("a€")])).toBe("a\n[output cut: 3 of 4 bytes kept]")
  })

  it("replaces what is not UTF-8", () => {
    expect(collect(10, [Uint8Array.of(0x61, 0xff, 0x62)])).toBe("a\uFFFDb")
  })

  it("holds many small chunks in one piece", () => {
    const output = new BoundedOutput(1024 * 1024)
    for (let index = 0; index < 100_000; index++) output.push(bytes("x"))
    expect(output.text()).toBe("x".repeat(100_000))
  })
})
