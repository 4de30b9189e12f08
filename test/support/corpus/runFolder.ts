/**
 * Runs every case file of a folder in the corpus format and prints the counts per file. A file is known by the shape of
 * its cases, not by its name, so a folder that nobody here has seen works too; a file of no known shape is a failure.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { get, isList, isMap, parseJson, type Value, type ValueMap } from "../../../src/domain/Value.ts"
import { runCoercionCase } from "./coercions.ts"
import { runConditionCase } from "./conditions.ts"
import { runInputCase } from "./inputs.ts"
import { runLoadErrorCase } from "./loadErrors.ts"
import { runEngineCase } from "./runs.ts"
import { runTemplateCase } from "./templates.ts"

interface Verdict {
  readonly verdict: "pass" | "unsupported" | "fail"
  readonly why?: string
}

interface Case {
  readonly id: string
  /** Marked as a behaviour of the reference that a new engine may change. */
  readonly isOddity: boolean
  /** Whether its shape is one that a corpus has. */
  readonly isKnown: boolean
  readonly run: () => Promise<Verdict>
}

const verdictOf = (why: string | null): Verdict => (why === null ? { verdict: "pass" } : { verdict: "fail", why })

const has = (value: ValueMap, ...keys: ReadonlyArray<string>): boolean => keys.every((key) => Object.hasOwn(value, key))

/** How to run a case, judged by its keys; `file` is the whole document, since conditions share their contexts. */
const runnerOf = (value: ValueMap, file: Value): (() => Promise<Verdict>) | undefined => {
  if (has(value, "template", "context")) return async () => verdictOf(runTemplateCase(value))
  if (has(value, "when", "form")) return async () => verdictOf(runConditionCase(value, isMap(file) ? file : {}))
  if (has(value, "kind", "text")) return async () => verdictOf(runCoercionCase(value))
  if (has(value, "mode", "refs")) return async () => verdictOf(runInputCase(value))
  if (has(value, "yaml", "stage")) return async () => verdictOf(await runLoadErrorCase(value))
  if (has(value, "workflow", "expected")) return () => runEngineCase(value)
  return undefined
}

const casesOf = (path: string): ReadonlyArray<Case> => {
  const file = parseJson(readFileSync(path, "utf8"))
  const list = isList(file) ? file : isMap(file) && isList(get(file, "cases") ?? null) ? get(file, "cases") : [file]
  return (list as ReadonlyArray<Value>).filter(isMap).map((value) => {
    const id = String(get(value, "id") ?? basename(path))
    const runner = runnerOf(value, file)
    return {
      id,
      isOddity: get(value, "oddity") === true,
      isKnown: runner !== undefined,
      run: runner ?? (async () => ({ verdict: "fail", why: `no known kind of case: ${Object.keys(value).join(", ")}` }))
    }
  })
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === "examples" ? [] : filesOf(path)
      // The answers for the example workflows speak of files that lie elsewhere; their own test reads them in place.
      return entry.name.endsWith(".json") && entry.name !== "examples.json" ? [path] : []
    })
    .toSorted()

export const casesIn = (folder: string): ReadonlyArray<Case> => filesOf(folder).flatMap(casesOf)

/** Files with one case each are counted by their folder. */
const groupOf = (folder: string, path: string, cases: number): string =>
  cases === 1 && dirname(path) !== folder ? `${relative(folder, dirname(path))}/` : relative(folder, path)

interface Tally {
  passed: number
  different: number
  unsupported: number
  failed: number
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Exit code: 1 when a case fails that is neither marked as an oddity of the reference nor one of our differences. */
export const runFolder = async (folder: string): Promise<number> => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    print(`${folder}: no such folder`)
    return 2
  }
  const tallies = new Map<string, Tally>()
  const failures: Array<string> = []
  for (const path of filesOf(folder)) {
    const cases = casesOf(path)
    const group = groupOf(folder, path, cases.length)
    const tally = tallies.get(group) ?? { passed: 0, different: 0, unsupported: 0, failed: 0 }
    tallies.set(group, tally)
    for (const { id, isOddity, run } of cases) {
      const result = await run().catch((cause: unknown): Verdict => ({
        verdict: "fail",
        why: `threw ${String(cause)}`
      }))
      if (result.verdict === "pass") tally.passed += 1
      else if (result.verdict === "unsupported") tally.unsupported += 1
      else if (isOddity) tally.different += 1
      else {
        tally.failed += 1
        failures.push(`${group}  ${id}: ${(result.why ?? "").split("\n").slice(0, 3).join(" | ")}`)
      }
    }
  }
  const width = Math.max(4, ...[...tallies.keys()].map((name) => name.length))
  print(`${"file".padEnd(width)}  passed  differs on purpose  not supported yet  failed`)
  for (const [name, tally] of tallies) {
    const cells = [tally.passed, tally.different, tally.unsupported, tally.failed].map(String)
    const [passed = "", different = "", unsupported = "", failed = ""] = cells
    print(
      `${name.padEnd(width)}  ${passed.padStart(6)}  ${different.padStart(18)}  ${unsupported.padStart(17)}  ${failed.padStart(6)}`
    )
  }
  for (const failure of failures) print(`FAIL  ${failure}`)
  return failures.length === 0 && tallies.size > 0 ? 0 : 1
}
