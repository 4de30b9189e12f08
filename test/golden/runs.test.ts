/** The corpus of whole runs. A case that needs what this version does not have must be refused, never run wrongly. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isMap, parseJson, type Value } from "../../src/domain/Value.ts"
import { runEngineCase } from "../support/corpus/runs.ts"

const folder = new URL("runs/", import.meta.url)

const cases = readdirSync(folder).map((file) => {
  const testCase: Value = parseJson(readFileSync(new URL(file, folder), "utf8"))
  if (!isMap(testCase)) throw new Error(`${file} holds no case`)
  return { id: String(testCase["id"]), title: String(testCase["title"]), testCase }
})

describe("runs", () => {
  it.each(cases)("$id: $title", async ({ testCase }) => {
    const { verdict, why } = await runEngineCase(testCase)
    expect([verdict, why]).not.toContain("fail")
  })
})
