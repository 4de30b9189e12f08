/** What a template shares with those it extends: the scope of their top level, their blocks, and which of them is next. */
import { Blocks } from "./Blocks.ts"
import type { Scope } from "./Scope.ts"
import type { Unit } from "./Unit.ts"

export class Lineage {
  readonly blocks = new Blocks()
  /** Set by `extends`: the template that is rendered instead, when the current one is through. */
  parent: Unit | undefined

  /** What is set in `top` is seen by the blocks and exported to importers. */
  constructor(readonly top: Scope) {}
}
