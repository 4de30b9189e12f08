/** Ours: keys that the reference ignores in silence, so that a slip of the pen in `limits` lifts the limit. */
import { ignoredKeys as dropped } from "../document/IgnoredKeys.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"

export const ignoredKeys = ({ tree }: Scope): ReadonlyArray<Finding> =>
  dropped(tree).map(({ message, place, suggestion }) => warning(place, message, suggestion))
