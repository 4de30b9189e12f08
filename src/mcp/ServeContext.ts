/** What one server serves, and how: the same for each of its calls. */
import { Context } from "effect"
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import type { ServeOptions } from "./ServeFlags.ts"

export class ServeContext extends Context.Tag("conductor/ServeContext")<
  ServeContext,
  { readonly contents: CatalogueContents; readonly options: ServeOptions }
>() {}
