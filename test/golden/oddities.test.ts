/** docs/compatibility.md says of every oddity of the corpus whether we share it, and the cases agree. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { casesIn } from "../support/corpus/runFolder.ts"

interface Claim {
  readonly id: string
  readonly here: string
}

/** `sandbox-001, -003` are two ids: what begins with a dash takes the place of the end of the id before it. */
const idsIn = (cell: string): ReadonlyArray<string> =>
  cell.split(", ").reduce<ReadonlyArray<string>>((ids, id) => {
    const stem = ids.at(-1)?.replace(/-[^-]*$/, "") ?? ""
    return [...ids, id.startsWith("-") ? `${stem}${id}` : id]
  }, [])

const page = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8")
const table = page.slice(page.indexOf("## Oddities of the reference"))

/** The rows `| ids | the reference | same or different | why |`. */
const claims: ReadonlyArray<Claim> = [
  ...table.matchAll(/^\| ([a-z][\w, -]*) \| .* \| (same|different) \| .* \|$/gm)
].flatMap(([, ids = "", here = ""]) => idsIn(ids).map((id) => ({ id, here })))

const cases = casesIn(fileURLToPath(new URL(".", import.meta.url)))
const oddities = cases.filter(({ isOddity }) => isOddity)

it("this folder holds cases and nothing else, since `npm run corpus` runs all that it finds here", () => {
  expect(cases.filter(({ isKnown }) => !isKnown).map(({ id }) => id)).toEqual([])
})

describe("the oddities of the reference", () => {
  it("are all in the table, once each, and nothing else is", () => {
    expect(claims.map(({ id }) => id).toSorted()).toEqual(oddities.map(({ id }) => id).toSorted())
  })

  it.each(oddities)("$id is as the table says", async ({ id, run }) => {
    const { verdict } = await run()
    expect(claims.find((claim) => claim.id === id)?.here).toBe(verdict === "pass" ? "same" : "different")
  })
})
