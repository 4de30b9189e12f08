import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { runConditionCase } from "../support/corpus/conditions.ts"
import { casesOf, readCorpus, text } from "../support/corpus/Corpus.ts"

const corpus = readCorpus(fileURLToPath(new URL("conditions.json", import.meta.url)))
const cases = casesOf(corpus)

describe("conditions hold as in the reference", () => {
  it("the corpus is complete", () => {
    expect(cases.length).toBeGreaterThanOrEqual(268)
  })

  it.each(cases.map((entry) => [text(entry, "id") ?? "", entry] as const))("%s", (_, entry) => {
    expect(runConditionCase(entry, corpus)).toBeNull()
  })
})
