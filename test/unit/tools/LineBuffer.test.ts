import { describe, expect, it } from "vitest"
import { LineBuffer } from "../../../src/tools/LineBuffer.ts"

const push = (buffer: LineBuffer, text: string) => buffer.push(Buffer.from(text))

describe("LineBuffer", () => {
  it("gives a line once all of it has come, however it was cut", () => {
    const buffer = new LineBuffer(100)
    expect(push(buffer, "one\ntw")).toEqual(["one"])
    expect(push(buffer, "o")).toEqual([])
    expect(push(buffer, "\n\nthree\nfo")).toEqual(["two", "", "three"])
  })

  it("joins characters that were cut in the middle", () => {
    const buffer = new LineBuffer(100)
    const [first, ...rest] = Buffer.from("ä\n")
    expect(buffer.push(Buffer.from([first ?? 0]))).toEqual([])
    expect(buffer.push(Buffer.from(rest))).toEqual(["ä"])
  })

  it("counts each line for itself, and breaks off at one that is too long", () => {
    const buffer = new LineBuffer(4)
    expect(push(buffer, "four\nfour\n")).toEqual(["four", "four"])
    push(buffer, "fo")
    expect(() => push(buffer, "ur!")).toThrow(RangeError)
  })
})
