/** Anchors and what their aliases may stand for, so that a small file cannot expand into one that outgrows memory or stack. */
import { Either } from "effect"
import { MAX_DEPTH } from "./Limits.ts"
import type { YamlNode } from "./YamlNode.ts"

/** How many nodes aliases may add to a document. Real files repeat a few dozen; a "billion laughs" file wants billions. */
const MAX_ALIASED_NODES = 10_000

interface Extent {
  readonly nodes: number
  readonly levels: number
}

const childrenOf = (node: YamlNode): ReadonlyArray<YamlNode> => {
  if (node.kind === "sequence") return node.items
  return node.kind === "mapping" ? node.entries.map(({ value }) => value) : []
}

const extentOf = (node: YamlNode): Extent => {
  const extents = childrenOf(node).map(extentOf)
  return {
    nodes: extents.reduce((total, { nodes }) => total + nodes, 1),
    levels: extents.reduce((deepest, { levels }) => Math.max(deepest, levels + 1), 1)
  }
}

export class Aliases {
  readonly #anchors = new Map<string, YamlNode | "open">()
  #nodes = 0

  /** The node of an anchor, which is open while that node is being read. */
  define(anchor: string, read: () => YamlNode): YamlNode {
    this.#anchors.set(anchor, "open")
    const node = read()
    this.#anchors.set(anchor, node)
    return node
  }

  /** The node that an alias at `depth` stands for, or why it may not be used. */
  resolve(name: string, depth: number): Either.Either<YamlNode, string> {
    const target = this.#anchors.get(name)
    if (target === undefined) return Either.left(`there is no anchor &${name} before the alias *${name}`)
    if (target === "open") return Either.left(`the anchor &${name} contains its own alias *${name}`)
    if (this.#nodes > MAX_ALIASED_NODES) return this.#tooMany()
    const { levels, nodes } = extentOf(target)
    if (depth + levels > MAX_DEPTH) return Either.left("aliases nest this document too deeply")
    this.#nodes += nodes
    return this.#nodes > MAX_ALIASED_NODES ? this.#tooMany() : Either.right(target)
  }

  #tooMany(): Either.Either<never, string> {
    return Either.left(`aliases expand this document by more than ${MAX_ALIASED_NODES} values`)
  }
}
