/** Files that the reference refuses are refused, at the same places; files that it accepts are accepted. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { LoadErrorCase, runLoadErrorCase } from "../support/corpus/loadErrors.ts"

const cases = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(LoadErrorCase)))(
  readFileSync(new URL("./load-errors.json", import.meta.url), "utf8")
)

/** Where we differ from an oddity of the reference on purpose. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "file-tpl-prompt": "a file with nothing but {{ x }} stays text, since no mapping has such a key",
  "ok-dup-step": "a repeated step name is an error",
  "ok-fe-clash": "a group that hides a step is worth a warning",
  "ok-par-dup-member": "a member that is named twice is worth a warning",
  "ok-bad-when": "a condition that does not parse is an error",
  "ok-bad-jinja": "an unknown filter is an error",
  "ok-wait-tpl": "a duration that is an unfinished template is an error",
  "ok-limits-typo": "an ignored key is worth a warning",
  "ok-hooks-typo": "an ignored key is worth a warning",
  "ok-context-typo": "an ignored key is worth a warning",
  "ok-retry-typo": "an ignored key is worth a warning",
  "ok-gate-opt-extra": "an ignored key is worth a warning"
}

describe("load-errors.json", () => {
  for (const stage of ["load", "validate", "ok"] as const) {
    for (const testCase of cases.filter((one) => one.stage === stage && !(one.id in DIFFERENCES))) {
      it(`${stage}: ${testCase.id}`, async () => {
        expect(await runLoadErrorCase(testCase)).toBeNull()
      })
    }
  }

  it.each(Object.entries(DIFFERENCES))("%s still differs: %s", async (id) => {
    const testCase = cases.find((one) => one.id === id)
    expect(testCase?.oddity).toBe(true)
    expect(testCase && (await runLoadErrorCase(testCase))).not.toBeNull()
  })
})
