/** How an operator narrows what is served. Globs are matched case-sensitively everywhere. */
export interface CatalogueOptions {
  /** Registry name globs; empty = all. */
  readonly registries: ReadonlyArray<string>
  /** Globs over workflow key, `registry/key` and tool name. */
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  /** Extra folders, absolute. */
  readonly workflowDirectories: ReadonlyArray<string>
  readonly maxDirectTools: number
  readonly toolPrefix?: string
  /** Names of tools that are not workflows; a workflow of such a name is qualified, never the tool. */
  readonly reservedNames: ReadonlyArray<string>
}
