/** Templates that extend others: `{% block %}` and `{% extends %}`, and the running of a whole line of templates. */
import { valueFault } from "../../expression/Fault.ts"
import type { Runtime } from "../../expression/Runtime.ts"
import type { BlockDefinition, Statement, StatementOf } from "../Ast.ts"
import type { BlockLayer } from "../Blocks.ts"
import { Lineage } from "../Lineage.ts"
import type { Rendering } from "../Rendering.ts"
import { type Names, Scope } from "../Scope.ts"
import type { StatementParser } from "../StatementParser.ts"
import type { Unit } from "../Unit.ts"

export const parseBlock = (parser: StatementParser, offset: number): Statement => {
  const { blocks, stream } = parser
  const name = stream.expect("name").text
  const scoped = stream.skip("name", "scoped")
  const required = stream.skip("name", "required")
  if (stream.is("operator", "-")) throw stream.fail("block names may not contain hyphens, use an underscore instead")
  const body = parser.wholeBody("block")
  const isBlank = body.every((part) => part.kind === "text" && part.text.trim() === "")
  if (required && !isBlank) throw stream.fail("Required blocks can only contain comments or whitespace", offset)
  stream.skip("name", name)
  if (blocks.has(name)) throw stream.fail(`block '${name}' defined twice`, offset)
  const block: BlockDefinition = { name, body, scoped, required }
  blocks.set(name, block)
  return { kind: "block", block, offset }
}

export const parseExtends = ({ expressions }: StatementParser, offset: number): Statement => ({
  kind: "extends",
  template: expressions.expression(),
  offset
})

/** A template of its own: its blocks and what it extends are not those of the one that runs now. */
export const runUnit = (rendering: Rendering, unit: Unit, top: Scope): void => {
  const lineage = new Lineage(top)
  rendering.inLineage(lineage, () => {
    for (let current: Unit | undefined = unit; current !== undefined; current = lineage.parent) {
      const { body } = current
      lineage.parent = undefined
      lineage.blocks.add(current)
      rendering.budget.spend()
      rendering.keepingOutput(() => rendering.inUnit(current, () => rendering.run(body)))
    }
  })
}

/** In a template that extends another, blocks are shown where the other one has them. */
export const runBlock = (rendering: Rendering, { block }: StatementOf<"block">): void => {
  const { blocks, parent, top } = rendering.lineage
  const layer = parent === undefined ? blocks.first(block.name) : undefined
  if (layer === undefined) return
  if (layer.block.required) throw valueFault(`Required block '${block.name}' not found`)
  runLayer(rendering, layer, layer.block.scoped || block.scoped ? rendering.scope : top)
}

const runLayer = (rendering: Rendering, layer: BlockLayer, visible: Names): void => {
  const scope = new Scope(visible)
  scope.set(
    "super",
    rendering.lineage.blocks.superOf(layer, (above) => blockText(rendering, above))
  )
  rendering.inUnit(layer.unit, () => rendering.within(scope, () => rendering.run(layer.block.body)))
}

/** A block as `super()` and `self.name()` give it. */
export const blockText = (rendering: Rendering, layer: BlockLayer): Runtime =>
  rendering.captureValue(() => runLayer(rendering, layer, rendering.lineage.top))

/** What a template writes after `extends` is not shown. */
export const runExtends = (rendering: Rendering, { template }: StatementOf<"extends">): void => {
  const { lineage } = rendering
  if (lineage.parent !== undefined) throw valueFault("extended multiple times")
  lineage.parent = rendering.load(template)
  rendering.discardOutput()
}
