/** What is shown of a run that is followed, and where. Pure. */

/**
 * `screen`: lines that scroll by and lines that are drawn again, on a terminal. `lines`: each event on a line of stderr.
 * `json`: each event as a line of JSON on stdout. `quiet`: nothing but what is asked.
 */
export type FollowMode = "screen" | "lines" | "json" | "quiet"

export const followMode = (
  flags: { readonly json: boolean; readonly quiet: boolean },
  hasScreen: boolean
): FollowMode => {
  if (flags.json) return "json"
  if (flags.quiet) return "quiet"
  return hasScreen ? "screen" : "lines"
}
