import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { posix } from "node:path"
import { parseEntryPath } from "../../../src/registries/EntryPath.ts"

describe("the path of an index entry", () => {
  it.each([
    ["qa.yaml", "qa.yaml"],
    ["flows/qa.yaml", "flows/qa.yaml"],
    ["flows\\qa.yaml", "flows/qa.yaml"],
    ["./flows//qa.yaml", "flows/qa.yaml"],
    ["über/日本.yaml", "über/日本.yaml"],
    ["100%.yaml", "100%.yaml"],
    ["console.yaml", "console.yaml"],
    ["a..b/..c.yaml", "a..b/..c.yaml"]
  ])("%s is %s", (text, path) => {
    expect(Either.getOrThrow(parseEntryPath(text))).toBe(path)
  })

  it.each([
    ["", "empty"],
    [" ", "empty"],
    [".", "names no file"],
    ["/etc/passwd", "absolute"],
    ["\\etc\\passwd", "absolute"],
    ["\\\\host\\share", "absolute"],
    ["C:/x.yaml", "absolute"],
    ["c:x.yaml", "absolute"],
    ["../x.yaml", "'..'"],
    ["a/../../x.yaml", "'..'"],
    ["a\\..\\x.yaml", "'..'"],
    ["a/%2e%2e/x.yaml", "encoded"],
    ["a%2Fx.yaml", "encoded"],
    ["%252e%252e/x", "encoded"],
    ["a%5cx.yaml", "encoded"],
    ["a\0.yaml", "control character"],
    ["a\n.yaml", "control character"],
    ["x.yaml:stream", "':'"],
    ["... /x.yaml", "ends with a dot or a blank"],
    ["x.yaml.", "ends with a dot or a blank"],
    ["con", "device"],
    ["a/NUL.yaml", "device"],
    ["LPT1.txt.yaml", "device"],
    ["com¹.yaml", "device"],
    ["CONIN$", "device"],
    ["x".repeat(1_025), "longer"]
  ])("%j is refused", (text, reason) => {
    expect(parseEntryPath(text)).toMatchObject({ _tag: "Left", left: expect.stringContaining(reason) })
  })

  it("never leads out of the folder, whatever the text", () => {
    const pieces = fc.constantFrom("..", ".", "/", "\\", "a", "%2e", "C:", "\0", " ", "~")
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((parts) => parts.join(""))
        ),
        (text) => {
          const path = parseEntryPath(text)
          if (Either.isRight(path)) expect(posix.resolve("/root", path.right)).toBe(`/root/${path.right}`)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})
