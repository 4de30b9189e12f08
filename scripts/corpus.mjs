// `npm run corpus -- [folder]`: runs every case file of a folder in the corpus format against the source, prints the
// counts per file and the ids that fail, and exits non-zero when one does. Works on folders it has never seen.
import { mkdtempSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const folder = resolve(process.argv[2] ?? "test/golden")
// Beside node_modules, so that the bundle's external imports resolve.
const directory = mkdtempSync(join(process.cwd(), "node_modules", ".corpus-"))
try {
  const bundle = await rolldown({
    input: { corpus: "test/support/corpus/runFolder.ts" },
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    onLog: () => undefined
  })
  await bundle.write({ dir: directory, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  const { runFolder } = await import(pathToFileURL(join(directory, "corpus.mjs")).href)
  process.exitCode = await runFolder(folder)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
