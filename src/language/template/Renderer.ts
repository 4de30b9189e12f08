/** Runs templates: says for each kind of statement what is done. */
import type { Runtime } from "../expression/Runtime.ts"
import type { Statement } from "./Ast.ts"
import { Rendering } from "./Rendering.ts"
import { Scope } from "./Scope.ts"
import { runSet, runSetBlock, runWith } from "./statements/Assignment.ts"
import { blockText, runBlock, runExtends, runUnit } from "./statements/Blocks.ts"
import { runFor } from "./statements/For.ts"
import { runIf } from "./statements/If.ts"
import { runFrom, runImport, runInclude } from "./statements/Imports.ts"
import { runCall, runMacro } from "./statements/Macros.ts"
import { runAutoescape, runFilter } from "./statements/Print.ts"
import type { Unit } from "./Unit.ts"

export class Renderer extends Rendering {
  render(unit: Unit): string {
    return this.capture(() => runUnit(this, unit, new Scope(this.context)))
  }

  override name(name: string): Runtime {
    if (name !== "self" || this.scope.get(name) !== undefined) return super.name(name)
    return this.lineage.blocks.self((layer) => blockText(this, layer))
  }

  protected override dispatch(statement: Statement): void {
    switch (statement.kind) {
      case "text":
        return this.write(statement.text)
      case "print":
        return this.print(this.evaluate(statement.value))
      case "if":
        return runIf(this, statement)
      case "for":
        return runFor(this, statement)
      case "set":
        return runSet(this, statement)
      case "set block":
        return runSetBlock(this, statement)
      case "with":
        return runWith(this, statement)
      case "macro":
        return runMacro(this, statement)
      case "call block":
        return runCall(this, statement)
      case "filter block":
        return runFilter(this, statement)
      case "autoescape":
        return runAutoescape(this, statement)
      case "block":
        return runBlock(this, statement)
      case "extends":
        return runExtends(this, statement)
      case "include":
        return runInclude(this, statement)
      case "import":
        return runImport(this, statement)
      case "from":
        return runFrom(this, statement)
    }
  }
}
