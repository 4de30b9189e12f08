/** The port to what is served. Frozen for the life of a server: a changed file is reported and held, never applied. */
import { Context, type Effect } from "effect"
import type { CatalogueContents, CatalogueEntry } from "./CatalogueEntry.ts"

export class Catalogue extends Context.Tag("conductor/Catalogue")<
  Catalogue,
  {
    readonly contents: CatalogueContents
    readonly find: (tool: string) => CatalogueEntry | undefined
    /** Compares each entry's pin with its file; the tools whose file changed or vanished since it was pinned. */
    readonly drift: Effect.Effect<ReadonlyArray<{ readonly tool: string; readonly reason: string }>>
  }
>() {}
