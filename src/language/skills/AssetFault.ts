/**
 * Why something that a workflow names is not there, or is there and cannot be used. Validation, which fetches nothing, is
 * content with less than a run: what is only `unchecked` for the one is an obstacle for the other.
 */
export interface AssetFault {
  readonly severity: "broken" | "unchecked"
  readonly message: string
  readonly suggestion?: string
  /** The name of the plugin source that is at fault, and not the entry that wants something of it. */
  readonly source?: string
}

/** What was found, and what was not. */
export interface Located<A> {
  readonly found: ReadonlyArray<A>
  readonly faults: ReadonlyArray<AssetFault>
}

export const brokenAsset = (message: string, suggestion?: string): AssetFault => ({
  severity: "broken",
  message,
  ...(suggestion === undefined ? {} : { suggestion })
})

export const unplacedAsset = (entry: string): AssetFault => ({
  severity: "unchecked",
  message: `${entry} is not checked: the workflow is in no file that it could be relative to`
})
