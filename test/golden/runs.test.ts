/** The corpus of whole runs. What needs something that this version does not have is refused; all else runs as it should. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { get, isMap, parseJson, type Value } from "../../src/domain/Value.ts"
import { runEngineCase, type EngineVerdict } from "../support/corpus/runs.ts"

const folder = new URL("runs/", import.meta.url)

/** Oddities of the reference that we do not share; docs/compatibility.md says why. */
const DIFFERENT: Readonly<Record<string, EngineVerdict["verdict"]>> = {
  "par-all-fail-fail_fast": "fail",
  "par-member-duplicate": "fail",
  "par-name-clash": "fail",
  "par-script-member": "unsupported"
}

const cases = readdirSync(folder).map((file) => {
  const testCase: Value = parseJson(readFileSync(new URL(file, folder), "utf8"))
  if (!isMap(testCase)) throw new Error(`${file} holds no case`)
  return { id: String(get(testCase, "id")), title: String(get(testCase, "title")), testCase }
})

describe("runs", () => {
  it.each(cases)("$id: $title", async ({ id, testCase }) => {
    const { verdict, why } = await runEngineCase(testCase)
    const expected = DIFFERENT[id] ?? "pass"
    expect({ verdict, why: verdict === expected ? "" : why }).toEqual({ verdict: expected, why: "" })
  })
})
