/**
 * One rendering: where it stands (names, output, escaping, template) and the steps that all statements are made of. It
 * holds all mutable state of that rendering and keeps nothing afterwards. What the statements do is in `statements/`.
 */
import type { Expression } from "../expression/Ast.ts"
import type { Budget } from "../expression/Budget.ts"
import { Evaluator } from "../expression/Evaluator.ts"
import { Fault } from "../expression/Fault.ts"
import { escapeHtml } from "../expression/Html.ts"
import { show } from "../expression/PythonText.ts"
import { type Arguments, Markup, type Runtime, Undefined } from "../expression/Runtime.ts"
import type { Body, Statement } from "./Ast.ts"
import type { Host } from "./Filter.ts"
import { filters } from "./Filters.ts"
import { Lineage } from "./Lineage.ts"
import { getAttribute, getItem } from "./Lookup.ts"
import { Output } from "./Output.ts"
import { type Names, Scope } from "./Scope.ts"
import type { Templates } from "./Templates.ts"
import { tests } from "./Tests.ts"
import { type Unit, unknownReference } from "./Unit.ts"

const placeOf = (statement: Statement): number =>
  statement.kind === "print" ? statement.value.offset : statement.offset

export abstract class Rendering extends Evaluator implements Host {
  #scope: Scope
  #output: Output
  #escaping = false
  #piped: Runtime = ""
  #unit: Unit | undefined
  #lineage: Lineage

  constructor(
    budget: Budget,
    readonly context: Names,
    /** What templates see that are included without context. */
    readonly bare: Names,
    readonly templates: Templates
  ) {
    super(budget)
    this.#scope = new Scope(context)
    this.#lineage = new Lineage(this.#scope)
    this.#output = new Output(budget)
  }

  protected abstract dispatch(statement: Statement): void

  // What expressions ask for

  override get escaping(): boolean {
    return this.#escaping
  }

  override name(name: string): Runtime {
    const value = this.#scope.get(name)
    if (value !== undefined) return value
    const scope = this.#scope
    return new Undefined(`'${name}' is undefined`, name, "strict", () => scope.all())
  }

  protected override attribute(target: Runtime, name: string): Runtime {
    return getAttribute(target, name, this.budget)
  }

  protected override item(target: Runtime, key: Runtime): Runtime {
    return getItem(target, key, this.budget)
  }

  protected override missingChoice(): Runtime {
    const reason = "the inline if-expression evaluated to false and no else section was defined"
    return new Undefined(reason, undefined, "lenient")
  }

  protected override piped(): Runtime {
    return this.#piped
  }

  override applyFilter(name: string, value: Runtime, args: Arguments): Runtime {
    const filter = filters.get(name)
    if (filter === undefined) throw unknownReference("filter", name, "other")
    return filter(value, args, this)
  }

  override applyTest(name: string, value: Runtime, args: Arguments): boolean {
    const test = tests.get(name)
    if (test === undefined) throw unknownReference("test", name, "other")
    return test(value, args, this)
  }

  // Statements

  run(body: Body): void {
    for (const statement of body) this.#execute(statement)
  }

  #execute(statement: Statement): void {
    this.budget.spend()
    this.budget.enter()
    try {
      this.dispatch(statement)
    } catch (cause) {
      if (cause instanceof Fault && cause.source === undefined) cause.offset ??= placeOf(statement)
      throw cause
    } finally {
      this.budget.leave()
    }
  }

  // Names

  get scope(): Scope {
    return this.#scope
  }

  within(scope: Scope, run: () => void): void {
    const outer = this.#scope
    this.#scope = scope
    try {
      run()
    } finally {
      this.#scope = outer
    }
  }

  /** Names that are set inside are not seen outside. */
  inner(run: () => void): void {
    this.within(new Scope(this.#scope), run)
  }

  // Text

  write(text: string): void {
    this.#output.write(text)
  }

  print(value: Runtime): void {
    const text = show(value, this.budget)
    this.#output.write(this.#escaping ? escapeHtml(value, text) : text)
  }

  /** Whatever `run` does with the output, it goes on afterwards where it was. */
  keepingOutput(run: () => void): void {
    const outer = this.#output
    try {
      run()
    } finally {
      this.#output = outer
    }
  }

  /** What is written from here on is not shown. */
  discardOutput(): void {
    this.#output = new Output(this.budget)
  }

  capture(run: () => void): string {
    const captured = new Output(this.budget)
    this.keepingOutput(() => {
      this.#output = captured
      run()
    })
    const text = captured.text()
    this.budget.allocate(text.length)
    return text
  }

  /** Captured text as a value: HTML where escaping is on. */
  captureValue(run: () => void): Runtime {
    const text = this.capture(run)
    return this.#escaping ? new Markup(text) : text
  }

  withEscaping(isOn: boolean, run: () => void): void {
    const outer = this.#escaping
    this.#escaping = isOn
    try {
      run()
    } finally {
      this.#escaping = outer
    }
  }

  /** The value after the filters of `{% filter %}` or of a set block. */
  pipe(filter: Expression, value: Runtime): Runtime {
    const outer = this.#piped
    this.#piped = value
    try {
      return this.evaluate(filter)
    } finally {
      this.#piped = outer
    }
  }

  // Templates

  get unit(): Unit | undefined {
    return this.#unit
  }

  /** Faults that come out belong to this source, if no inner one has claimed them. */
  inUnit<A>(unit: Unit, run: () => A): A {
    const outer = { source: this.source, unit: this.#unit }
    const source = { text: unit.source, name: unit.name }
    this.#unit = unit
    this.source = source
    this.budget.enter()
    try {
      return run()
    } catch (cause) {
      if (cause instanceof Fault) cause.source ??= source
      throw cause
    } finally {
      this.budget.leave()
      this.#unit = outer.unit
      this.source = outer.source
    }
  }

  get lineage(): Lineage {
    return this.#lineage
  }

  inLineage(lineage: Lineage, run: () => void): void {
    const outer = this.#lineage
    this.#lineage = lineage
    try {
      this.within(lineage.top, run)
    } finally {
      this.#lineage = outer
    }
  }

  load(template: Expression): Unit {
    return this.templates.load(this.evaluate(template), this.budget)
  }
}
