/** The blocks of a template and of those it extends, the outermost child first. */
import { HostObject, Native, type Runtime, Undefined } from "../expression/Runtime.ts"
import type { BlockDefinition } from "./Ast.ts"
import type { Unit } from "./Unit.ts"

export interface BlockLayer {
  readonly block: BlockDefinition
  readonly unit: Unit
  readonly level: number
}

type Show = (layer: BlockLayer) => Runtime

export class Blocks {
  readonly #layers = new Map<string, Array<BlockLayer>>()

  /** Parents are added after their children, whose blocks come before theirs. */
  add(unit: Unit): void {
    for (const [name, block] of unit.blocks) {
      const layers = this.#layers.get(name) ?? []
      layers.push({ block, unit, level: layers.length })
      this.#layers.set(name, layers)
    }
  }

  first(name: string): BlockLayer | undefined {
    return this.#layers.get(name)?.[0]
  }

  /** The function `super()`: the block of the same name one template up. */
  superOf({ block, level }: BlockLayer, show: Show): Runtime {
    const above = this.#layers.get(block.name)?.[level + 1]
    if (above === undefined) return new Undefined(`there is no parent block called '${block.name}'`, "super")
    return new Native("super", () => show(above))
  }

  /** The value `self`, whose attributes are the blocks as functions. */
  self(show: Show): HostObject {
    return new Self(this.#layers, show)
  }
}

class Self extends HostObject {
  constructor(
    readonly layers: ReadonlyMap<string, ReadonlyArray<BlockLayer>>,
    readonly show: Show
  ) {
    super("TemplateReference", "<TemplateReference>")
  }

  override attribute(name: string): Runtime | undefined {
    const layer = this.layers.get(name)?.[0]
    return layer === undefined ? undefined : new Native(name, () => this.show(layer))
  }

  override attributeNames(): ReadonlyArray<string> {
    return [...this.layers.keys()]
  }
}
