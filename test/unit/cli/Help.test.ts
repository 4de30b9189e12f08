import { describe, expect, it } from "vitest"
import { understand } from "../../../src/cli/CommandLine.ts"
import { allVerbs, groups, serveVerb } from "../../../src/cli/Verbs.ts"

const helpOf = (...words: ReadonlyArray<string>): string => {
  const understood = understand([...words, "--help"])
  if (understood._tag !== "Help") throw new Error(`${words.join(" ")} gave ${understood._tag}`)
  return `${understood.text}\n`
}

const pages: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ...Object.keys(groups).map((group) => [group]),
  ...allVerbs.filter((verb) => verb !== serveVerb).map(({ path }) => path)
]

describe("the help", () => {
  for (const words of pages) {
    const name = words.length === 0 ? "conductor" : words.join("-")
    it(`of ${["conductor", ...words].join(" ")} is the reviewed text and fits a terminal of 80 columns`, async () => {
      const text = helpOf(...words)
      await expect(text).toMatchFileSnapshot(`../../snapshots/cli/${name}.txt`)
      expect(text.split("\n").filter((line) => line.length > 80)).toEqual([])
    })
  }

  it("is what no arguments at all, -h and the word help give, too", () => {
    expect(understand([])).toEqual(understand(["--help"]))
    expect(understand(["-h"])).toEqual(understand(["--help"]))
    expect(understand(["help"])).toEqual(understand(["--help"]))
    expect(understand(["help", "runs", "list"])).toEqual(understand(["runs", "list", "-h"]))
  })

  it("is given for a call that has other mistakes, since that is when it is needed", () => {
    expect(understand(["status", "--nonsense", "--help"])._tag).toBe("Help")
  })
})
