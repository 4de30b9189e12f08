/** The port to what is served. Frozen for the life of a server: a changed file is reported and held, never applied. */
import { Context, Effect, Layer } from "effect"
import type { CatalogueContents, CatalogueEntry } from "./CatalogueEntry.ts"

export interface Drift {
  readonly tool: string
  /** What happened to the file, and what to do, in words. */
  readonly reason: string
}

export interface CatalogueShape {
  readonly contents: CatalogueContents
  readonly find: (tool: string) => CatalogueEntry | undefined
  /** Compares each entry's pin with its file; the tools whose file changed or vanished since it was pinned. */
  readonly drift: Effect.Effect<ReadonlyArray<Drift>>
}

/** The service over contents that are known, with a given way to look at their files. */
export const catalogueOf = (contents: CatalogueContents, drift: CatalogueShape["drift"]): CatalogueShape => {
  const byTool = new Map(contents.entries.map((entry) => [entry.tool, entry]))
  return { contents, find: (tool) => byTool.get(tool), drift }
}

export class Catalogue extends Context.Tag("conductor/Catalogue")<Catalogue, CatalogueShape>() {
  /** From values, with files that never change. */
  static layerOf(contents: CatalogueContents): Layer.Layer<Catalogue> {
    return Layer.succeed(Catalogue, catalogueOf(contents, Effect.succeed([])))
  }
}
