/** The corpus of what a step sees. Cases that the corpus itself calls odd are run like all others, except where we differ. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isList, isMap, parseJson, type Value } from "../../src/domain/Value.ts"
import { runInputCase } from "../support/corpus/inputs.ts"

const cases = parseJson(readFileSync(new URL("inputs.json", import.meta.url), "utf8"))

const idOf = (testCase: Value): string => (isMap(testCase) ? String(testCase["id"]) : "")

/** A step named `context` replaces that reserved name in every mode; the reference mixes the two in explicit mode. */
const DIFFERENT: ReadonlySet<string> = new Set(["input-188"])

const same = (isList(cases) ? cases : []).filter((testCase) => !DIFFERENT.has(idOf(testCase)))

describe("input references", () => {
  it.each(same.map((testCase) => [idOf(testCase), testCase] as const))(
    "%s shows the step exactly what it names",
    (_id, testCase) => {
      expect(isMap(testCase) && runInputCase(testCase)).toBeNull()
    }
  )
})
