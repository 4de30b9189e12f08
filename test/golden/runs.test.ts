/** The corpus of whole runs. What needs something that this version does not have is refused; all else runs as it should. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { get, isMap, parseJson, type Value, type ValueMap } from "../../src/domain/Value.ts"
import { runEngineCase } from "../support/corpus/runs.ts"

const folder = new URL("runs/", import.meta.url)

/** How the text of a workflow gives away that it needs more than this version has. */
const BEYOND =
  /^parallel:|^for_each:|type: (?:workflow|human_gate|questions)|validator:|budget_usd:|max_tokens:|tools: \[\w/m

const isBeyond = (testCase: ValueMap): boolean =>
  BEYOND.test(String(get(testCase, "workflow"))) || Object.hasOwn(testCase, "guidance")

const cases = readdirSync(folder).map((file) => {
  const testCase: Value = parseJson(readFileSync(new URL(file, folder), "utf8"))
  if (!isMap(testCase)) throw new Error(`${file} holds no case`)
  return { id: String(get(testCase, "id")), title: String(get(testCase, "title")), testCase }
})

describe("runs", () => {
  it.each(cases)("$id: $title", async ({ testCase }) => {
    const { verdict, why } = await runEngineCase(testCase)
    expect({ verdict, why: verdict === "fail" ? why : "" }).toEqual({
      verdict: isBeyond(testCase) ? "unsupported" : "pass",
      why: ""
    })
  })
})
