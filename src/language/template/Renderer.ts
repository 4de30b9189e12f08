/**
 * Runs the statements of a template. One renderer serves one rendering, with the templates it includes; it holds all
 * mutable state of that rendering and keeps nothing afterwards.
 */
import type { Expression } from "../expression/Ast.ts"
import type { Budget } from "../expression/Budget.ts"
import { isTrue } from "../expression/Comparison.ts"
import { Evaluator } from "../expression/Evaluator.ts"
import { Fault, valueFault } from "../expression/Fault.ts"
import { escapeHtml } from "../expression/Html.ts"
import { collect, iterate } from "../expression/Iteration.ts"
import { show } from "../expression/PythonText.ts"
import { type Arguments, Markup, type Runtime, Undefined } from "../expression/Runtime.ts"
import type { Body, MacroDefinition, Statement, Target } from "./Ast.ts"
import { type BlockLayer, Blocks } from "./Blocks.ts"
import type { Host } from "./Filter.ts"
import { filters } from "./Filters.ts"
import { Namespace } from "./Globals.ts"
import { getAttribute, getItem } from "./Lookup.ts"
import { Loop } from "./Loop.ts"
import { Macro } from "./Macro.ts"
import { Module } from "./Module.ts"
import { Output } from "./Output.ts"
import { type Names, Scope } from "./Scope.ts"
import type { Templates } from "./Templates.ts"
import { tests } from "./Tests.ts"
import { type Unit, unknownReference } from "./Unit.ts"

type Of<Kind extends Statement["kind"]> = Extract<Statement, { readonly kind: Kind }>

const placeOf = (statement: Statement): number =>
  statement.kind === "print" ? statement.value.offset : statement.offset

export class Renderer extends Evaluator implements Host {
  #scope: Scope
  #output: Output
  #escaping = false
  #piped: Runtime = ""
  #blocks = new Blocks()
  /** The scope of the template that runs: what it sets is seen by its blocks and exported to importers. */
  #top: Scope
  /** Set by `extends`: the template that is rendered instead, when the current one is through. */
  #parent: Unit | undefined
  #unit: Unit | undefined

  constructor(
    budget: Budget,
    readonly context: Names,
    /** What templates see that are included without context. */
    readonly bare: Names,
    readonly templates: Templates
  ) {
    super(budget)
    this.#top = this.#scope = new Scope(context)
    this.#output = new Output(budget)
  }

  render(unit: Unit): string {
    return this.#capture(() => this.#runUnit(unit, new Scope(this.context)))
  }

  // What expressions ask for

  override get escaping(): boolean {
    return this.#escaping
  }

  protected override name(name: string): Runtime {
    const value = this.#scope.get(name)
    if (value !== undefined) return value
    if (name === "self") return this.#blocks.self((layer) => this.#blockText(layer))
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

  applyFilter(name: string, value: Runtime, args: Arguments): Runtime {
    const filter = filters.get(name)
    if (filter === undefined) throw unknownReference("filter", name, "other")
    return filter(value, args, this)
  }

  applyTest(name: string, value: Runtime, args: Arguments): boolean {
    const test = tests.get(name)
    if (test === undefined) throw unknownReference("test", name, "other")
    return test(value, args, this)
  }

  protected override filter(name: string, value: Runtime, args: Arguments): Runtime {
    return this.applyFilter(name, value, args)
  }

  protected override test(name: string, value: Runtime, args: Arguments): boolean {
    return this.applyTest(name, value, args)
  }

  // Where statements run

  #within(scope: Scope, run: () => void): void {
    const outer = this.#scope
    this.#scope = scope
    try {
      run()
    } finally {
      this.#scope = outer
    }
  }

  #inner(run: () => void): void {
    this.#within(new Scope(this.#scope), run)
  }

  #capture(run: () => void): string {
    const outer = this.#output
    this.#output = new Output(this.budget)
    try {
      run()
      const text = this.#output.text()
      this.budget.allocate(text.length)
      return text
    } finally {
      this.#output = outer
    }
  }

  /** Captured text as a value: HTML where escaping is on. */
  #captureValue(run: () => void): Runtime {
    const text = this.#capture(run)
    return this.#escaping ? new Markup(text) : text
  }

  /** Faults that come out belong to this source, if no inner one has claimed them. */
  #inUnit<A>(unit: Unit, run: () => A): A {
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

  /** A template of its own: its blocks and what it extends are not those of the one that runs now. */
  #runUnit(unit: Unit, top: Scope): void {
    const outer = { blocks: this.#blocks, parent: this.#parent, top: this.#top }
    this.#blocks = new Blocks()
    this.#top = top
    try {
      this.#within(top, () => this.#runLineage(unit))
    } finally {
      this.#blocks = outer.blocks
      this.#parent = outer.parent
      this.#top = outer.top
    }
  }

  /** A template, then the one it extends, and so on; all share the scope and the blocks. */
  #runLineage(unit: Unit): void {
    const output = this.#output
    for (let current: Unit | undefined = unit; current !== undefined; current = this.#parent) {
      this.#parent = undefined
      this.#output = output
      this.#blocks.add(current)
      const { body } = current
      this.budget.spend()
      this.#inUnit(current, () => this.#run(body))
    }
    this.#output = output
  }

  #run(body: Body): void {
    for (const statement of body) this.#execute(statement)
  }

  #execute(statement: Statement): void {
    this.budget.spend()
    this.budget.enter()
    try {
      this.#dispatch(statement)
    } catch (cause) {
      if (cause instanceof Fault && cause.source === undefined) cause.offset ??= placeOf(statement)
      throw cause
    } finally {
      this.budget.leave()
    }
  }

  #dispatch(statement: Statement): void {
    switch (statement.kind) {
      case "text":
        return this.#output.write(statement.text)
      case "print":
        return this.#print(this.evaluate(statement.value))
      case "if":
        return this.#if(statement)
      case "for":
        return this.#for(statement)
      case "set":
        return this.#assign(statement.target, this.evaluate(statement.value))
      case "set block":
        return this.#setBlock(statement)
      case "with":
        return this.#with(statement)
      case "macro":
        return this.#scope.set(statement.macro.name, this.#macro(statement.macro))
      case "call block":
        return this.#callBlock(statement)
      case "filter block":
        return this.#print(
          this.#pipe(
            statement.filter,
            this.#captureValue(() => this.#inner(() => this.#run(statement.body)))
          )
        )
      case "autoescape":
        return this.#autoescape(statement)
      case "block":
        return this.#block(statement)
      case "extends":
        return this.#extends(statement)
      case "include":
        return this.#include(statement)
      case "import":
        return this.#scope.set(statement.target, this.#module(statement.template, statement.withContext))
      case "from":
        return this.#from(statement)
    }
  }

  #print(value: Runtime): void {
    const text = show(value, this.budget)
    this.#output.write(this.#escaping ? escapeHtml(value, text) : text)
  }

  #if({ branches, otherwise }: Of<"if">): void {
    for (const { body, test } of branches) if (isTrue(this.evaluate(test))) return this.#run(body)
    this.#run(otherwise)
  }

  #for(statement: Of<"for">): void {
    this.#loop(statement, this.evaluate(statement.source), 1)
  }

  #loop(statement: Of<"for">, source: Runtime, depth: number): void {
    const outer = this.#scope
    const items = iterate(source, this.budget)
    const wanted =
      statement.condition === undefined ? items : this.#matching(items, statement.target, statement.condition)
    const recurse = statement.recursive
      ? (inner: Runtime, level: number) =>
          this.#captureValue(() => this.#within(outer, () => this.#loop(statement, inner, level)))
      : undefined
    const loop = new Loop(wanted, depth, recurse)
    let isEmpty = true
    for (let item = loop.advance(); item !== undefined; item = loop.advance()) {
      isEmpty = false
      const found = item
      this.#within(new Scope(outer), () => {
        this.#scope.set("loop", loop)
        this.#assign(statement.target, found)
        this.#run(statement.body)
      })
    }
    if (isEmpty) this.#inner(() => this.#run(statement.otherwise))
  }

  *#matching(items: Iterable<Runtime>, target: Target, condition: Expression): IterableIterator<Runtime> {
    const outer = this.#scope
    for (const item of items) {
      let matches = false
      this.#within(new Scope(outer), () => {
        this.#assign(target, item)
        matches = isTrue(this.evaluate(condition))
      })
      if (matches) yield item
    }
  }

  #assign(target: Target, value: Runtime): void {
    switch (target.kind) {
      case "name":
        return this.#scope.set(target.name, value)
      case "tuple":
        return this.#unpack(target.items, value)
      case "namespace": {
        const namespace = this.name(target.name)
        if (!(namespace instanceof Namespace)) throw valueFault("cannot assign attribute on non-namespace object")
        return namespace.assign(target.attribute, value)
      }
    }
  }

  #unpack(targets: ReadonlyArray<Target>, value: Runtime): void {
    const values = collect(value, this.budget)
    if (values.length > targets.length) throw valueFault(`too many values to unpack (expected ${targets.length})`)
    if (values.length < targets.length) {
      throw valueFault(`not enough values to unpack (expected ${targets.length}, got ${values.length})`)
    }
    for (const [index, target] of targets.entries()) this.#assign(target, values[index] ?? null)
  }

  #setBlock({ body, filter, target }: Of<"set block">): void {
    const captured = this.#captureValue(() => this.#inner(() => this.#run(body)))
    this.#assign(target, filter === undefined ? captured : this.#pipe(filter, captured))
  }

  #pipe(filter: Expression, value: Runtime): Runtime {
    const outer = this.#piped
    this.#piped = value
    try {
      return this.evaluate(filter)
    } finally {
      this.#piped = outer
    }
  }

  /** All values are evaluated before any name is bound. */
  #with({ bindings, body }: Of<"with">): void {
    const values = bindings.map(([target, value]) => [target, this.evaluate(value)] as const)
    this.#inner(() => {
      for (const [target, value] of values) this.#assign(target, value)
      this.#run(body)
    })
  }

  #macro(definition: MacroDefinition): Macro {
    const scope = this.#scope
    const unit = this.#unit
    const run = (bound: ReadonlyMap<string, Runtime | undefined>): Runtime => {
      const body = () => this.#within(new Scope(scope), () => this.#macroBody(definition, bound))
      return this.#captureValue(unit === undefined ? body : () => this.#inUnit(unit, body))
    }
    return new Macro(definition, run)
  }

  /** Defaults may use the parameters before them. */
  #macroBody(
    { body, defaults, name, parameters }: MacroDefinition,
    bound: ReadonlyMap<string, Runtime | undefined>
  ): void {
    const firstDefault = parameters.length - defaults.length
    for (const [parameter, given] of bound) {
      if (given !== undefined) {
        this.#scope.set(parameter, given)
        continue
      }
      const fallback = defaults[parameters.indexOf(parameter) - firstDefault]
      const missing = () => new Undefined(`parameter '${parameter}' was not provided to '${name}'`, parameter)
      this.#scope.set(parameter, fallback === undefined ? missing() : this.evaluate(fallback))
    }
    this.#run(body)
  }

  #callBlock({ call, caller }: Of<"call block">): void {
    const macro: Expression = { kind: "literal", value: this.#macro(caller), offset: call.offset }
    const args = { ...call.args, named: [...call.args.named, ["caller", macro] as const] }
    this.#print(this.evaluate({ ...call, args }))
  }

  #autoescape({ body, enabled }: Of<"autoescape">): void {
    const outer = this.#escaping
    this.#escaping = isTrue(this.evaluate(enabled))
    try {
      this.#inner(() => this.#run(body))
    } finally {
      this.#escaping = outer
    }
  }

  // Blocks and other templates

  #block({ block }: Of<"block">): void {
    if (this.#parent !== undefined) return
    const layer = this.#blocks.first(block.name)
    if (layer === undefined) return
    if (layer.block.required) throw valueFault(`Required block '${block.name}' not found`)
    this.#runLayer(layer, layer.block.scoped || block.scoped ? this.#scope : this.#top)
  }

  #runLayer(layer: BlockLayer, visible: Names): void {
    const scope = new Scope(visible)
    scope.set(
      "super",
      this.#blocks.superOf(layer, (above) => this.#blockText(above))
    )
    this.#inUnit(layer.unit, () => this.#within(scope, () => this.#run(layer.block.body)))
  }

  #blockText(layer: BlockLayer): Runtime {
    return this.#captureValue(() => this.#runLayer(layer, this.#top))
  }

  #extends({ template }: Of<"extends">): void {
    if (this.#parent !== undefined) throw valueFault("extended multiple times")
    this.#parent = this.#load(this.evaluate(template))
    // What a template writes after `extends` is not shown.
    this.#output = new Output(this.budget)
  }

  #load(name: Runtime): Unit {
    return this.templates.load(name, this.budget)
  }

  #include({ ignoreMissing, template, withContext }: Of<"include">): void {
    const names = this.evaluate(template)
    const unit = ignoreMissing ? this.templates.loadIfFound(names, this.budget) : this.#load(names)
    if (unit === undefined) return
    const visible = new Scope(withContext ? this.#scope : this.bare)
    const output = this.#output
    this.#runUnit(unit, visible)
    this.#output = output
  }

  #module(template: Expression, withContext: boolean): Module {
    const unit = this.#load(this.evaluate(template))
    const top = new Scope(withContext ? this.#scope : this.bare)
    const text = this.#capture(() => this.#runUnit(unit, top))
    return new Module(unit.name ?? "", text, top.own())
  }

  #from({ names, template, withContext }: Of<"from">): void {
    const module = this.#module(template, withContext)
    for (const { alias, name } of names) this.#scope.set(alias, module.exported(name))
  }
}
