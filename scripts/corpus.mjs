// `npm run corpus -- [folder]`: runs every case file of a folder in the corpus format against the source, prints the
// counts per file and the ids that fail, and exits non-zero when one does. Works on folders it has never seen.
import { resolve } from "node:path"
import { importSource } from "./source.mjs"

const { runFolder } = await importSource("test/support/corpus/runFolder.ts")
process.exitCode = await runFolder(resolve(process.argv[2] ?? "test/golden"))
