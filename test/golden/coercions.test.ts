import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { runCoercionCase } from "../support/corpus/coercions.ts"
import { casesOf, readCorpus, text } from "../support/corpus/Corpus.ts"

const cases = casesOf(readCorpus(fileURLToPath(new URL("coercions.json", import.meta.url))))

describe("text becomes values as in the reference", () => {
  it("the corpus is complete", () => {
    expect(cases.length).toBeGreaterThanOrEqual(623)
  })

  it.each(cases.map((entry) => [text(entry, "id") ?? "", entry] as const))("%s", (_, entry) => {
    expect(runCoercionCase(entry)).toBeNull()
  })
})
