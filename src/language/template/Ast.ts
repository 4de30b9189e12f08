/** The statements of a template; parsed once, rendered many times, never changed. */
import type { Expression } from "../expression/Ast.ts"

export type Target =
  | { readonly kind: "name"; readonly name: string; readonly offset: number }
  | { readonly kind: "tuple"; readonly items: ReadonlyArray<Target>; readonly offset: number }
  | { readonly kind: "namespace"; readonly name: string; readonly attribute: string; readonly offset: number }

/** A macro or the body of a call block. */
export interface Signature {
  readonly parameters: ReadonlyArray<string>
  /** For the last parameters. */
  readonly defaults: ReadonlyArray<Expression>
}

export type StatementOf<Kind extends Statement["kind"]> = Extract<Statement, { readonly kind: Kind }>

export type Body = ReadonlyArray<Statement>

export interface MacroDefinition extends Signature {
  readonly name: string
  readonly body: Body
  /** Which of the special names the body uses decides which surplus arguments are accepted. */
  readonly uses: ReadonlySet<"varargs" | "kwargs" | "caller">
}

export interface BlockDefinition {
  readonly name: string
  readonly body: Body
  readonly scoped: boolean
  readonly required: boolean
}

interface Located {
  readonly offset: number
}

export type Statement =
  | (Located & { readonly kind: "text"; readonly text: string })
  | (Located & { readonly kind: "print"; readonly value: Expression })
  | (Located & {
      readonly kind: "if"
      readonly branches: ReadonlyArray<{ readonly test: Expression; readonly body: Body }>
      readonly otherwise: Body
    })
  | (Located & {
      readonly kind: "for"
      readonly target: Target
      readonly source: Expression
      readonly condition: Expression | undefined
      readonly recursive: boolean
      readonly body: Body
      readonly otherwise: Body
    })
  | (Located & { readonly kind: "set"; readonly target: Target; readonly value: Expression })
  | (Located & {
      readonly kind: "set block"
      readonly target: Target
      readonly filter: Expression | undefined
      readonly body: Body
    })
  | (Located & {
      readonly kind: "with"
      readonly bindings: ReadonlyArray<readonly [Target, Expression]>
      readonly body: Body
    })
  | (Located & { readonly kind: "macro"; readonly macro: MacroDefinition })
  | (Located & {
      readonly kind: "call block"
      readonly call: Expression & { kind: "call" }
      readonly caller: MacroDefinition
    })
  | (Located & { readonly kind: "filter block"; readonly filter: Expression; readonly body: Body })
  | (Located & { readonly kind: "autoescape"; readonly enabled: Expression; readonly body: Body })
  | (Located & { readonly kind: "block"; readonly block: BlockDefinition })
  | (Located & { readonly kind: "extends"; readonly template: Expression })
  | (Located & {
      readonly kind: "include"
      readonly template: Expression
      readonly ignoreMissing: boolean
      readonly withContext: boolean
    })
  | (Located & {
      readonly kind: "import"
      readonly template: Expression
      readonly target: string
      readonly withContext: boolean
    })
  | (Located & {
      readonly kind: "from"
      readonly template: Expression
      readonly names: ReadonlyArray<{ readonly name: string; readonly alias: string }>
      readonly withContext: boolean
    })
