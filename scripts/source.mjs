// Loads a module of the source into a script, which runs on plain Node: it is bundled into a folder that is gone afterwards.
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

/** The exports of a TypeScript module. `path` is relative to the root of the repository. */
export const importSource = async (path) => {
  // Beside node_modules, so that the bundle's external imports resolve.
  const folder = mkdtempSync(join(process.cwd(), "node_modules", ".source-"))
  try {
    const bundle = await rolldown({
      input: { module: path },
      platform: "node",
      external: (id) => !id.startsWith(".") && !id.startsWith("/"),
      onLog: () => undefined
    })
    await bundle.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs"
    })
    return await import(pathToFileURL(join(folder, "module.mjs")).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
