// `npm run docs`: writes the generated documents, docs/tools.md and the table of flags in README.md. With `--check` it
// writes nothing and exits with 1 when one of them is not what the source says.
import { readFileSync, writeFileSync } from "node:fs"
import { importSource } from "./source.mjs"

const { toolsDocument } = await importSource("src/mcp/ToolsDocument.ts")
const { serveFlagsTable } = await importSource("src/mcp/ServeFlagsText.ts")

const read = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (error.code === "ENOENT") return ""
    throw error
  }
}

/** The text with other content between the two marker lines of a section, which it must have once. */
const withSection = (path, text, name, content) => {
  const section = new RegExp(`^(<!-- ${name}:begin\\b.*-->\\n)[^]*?^(<!-- ${name}:end -->)$`, "gm")
  const count = [...text.matchAll(section)].length
  if (count !== 1)
    throw new Error(`${path} must have one section '<!-- ${name}:begin … -->' … '<!-- ${name}:end -->', not ${count}`)
  return text.replace(section, (_, begin, end) => `${begin}\n${content.trim()}\n\n${end}`)
}

const readme = read("README.md")
const documents = {
  "docs/tools.md": `${toolsDocument().trim()}\n`,
  "README.md": withSection("README.md", readme, "flags", serveFlagsTable())
}

const stale = Object.entries(documents).filter(([path, text]) => read(path) !== text)
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is not what the source says: run 'npm run docs'.`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [path, text] of stale) {
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
}
