import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { casesOf, readCorpus, text } from "../support/corpus/Corpus.ts"
import { runTemplateCase } from "../support/corpus/templates.ts"

/** Oddities of the reference that this engine does not repeat. */
const differsOnPurpose: ReadonlyMap<string, string> = new Map()

const cases = casesOf(readCorpus(fileURLToPath(new URL("templates.json", import.meta.url))))

describe("templates render as in the reference", () => {
  it("the corpus is complete", () => {
    expect(cases.length).toBeGreaterThanOrEqual(435)
  })

  it.each(cases.map((entry) => [text(entry, "id") ?? "", entry] as const))("%s", (id, entry) => {
    const failure = runTemplateCase(entry)
    if (differsOnPurpose.has(id)) expect(failure).not.toBeNull()
    else expect(failure).toBeNull()
  })
})
