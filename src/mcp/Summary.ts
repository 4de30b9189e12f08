/** What the operator reads on stderr when a server starts: what is served and why, and what is not and why not. */
import { removeHidden } from "../boundary/HiddenCharacters.ts"
import type { CatalogueContents, CatalogueEntry, ExcludedEntry } from "../catalogue/CatalogueEntry.ts"
import type { ServeOptions } from "./ServeFlags.ts"

const shortPin = (pin: string): string => pin.slice(0, "sha256:".length + 8)

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`

const heading = (
  { entries, mode }: CatalogueContents,
  { toolsets, maxDirectTools, launchDirectory }: ServeOptions
): ReadonlyArray<string> => [
  toolsets.includes("workflows")
    ? `conductor serves ${count(entries.length, "workflow")}, ${
        mode === "direct"
          ? `each as a tool (at most ${maxDirectTools})`
          : `through find and run (more than ${maxDirectTools}, see --max-direct-tools)`
      }`
    : `conductor serves no workflows (toolset off)`,
  `  toolsets          ${toolsets.join(", ")}`,
  `  launch directory  ${launchDirectory}`
]

/** Left-aligned columns; the last one is ragged. */
const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? "").length)))
  return rows.map((row) =>
    `  ${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ")}`.trimEnd()
  )
}

const served = (entry: CatalogueEntry): ReadonlyArray<string> => [
  entry.tool,
  `${entry.registry}/${entry.key}`,
  shortPin(entry.pin),
  entry.degraded === undefined ? entry.exposedBy : `${entry.exposedBy}; inputs unknown: ${entry.degraded}`
]

const excludedRow = ({ registry, key, rung, reason }: ExcludedEntry): ReadonlyArray<string> => [
  `${registry}/${key}`,
  rung,
  reason
]

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [title, ...lines]

/** Text of several lines with a final line end, without colour. */
export const startupSummary = (contents: CatalogueContents, options: ServeOptions): string => {
  const collisions = contents.collisions.map(
    ({ name, tools }) =>
      `  ${name}: ${tools.map(({ tool, registry, key }) => `${registry}/${key} is ${tool}`).join(", ")}`
  )
  const lines = [
    ...heading(contents, options),
    ...(options.toolsets.includes("workflows") ? section("tools", columns(contents.entries.map(served))) : []),
    ...section("names that several workflows wanted, and none got", collisions),
    ...section("not served", columns(contents.excluded.map(excludedRow))),
    ...section(
      "warnings",
      contents.warnings.map((warning) => `  ${warning}`)
    ),
    ""
  ]
  // A file name may hold anything, a terminal's control sequences included.
  return removeHidden(lines.join("\n"))
}
