/** The expressions that templates and conditions share; parsed once, evaluated many times, never changed. */
import type { Runtime } from "./Runtime.ts"
import type { Operator } from "./Operators.ts"

interface Located {
  /** Where the node begins, as an offset into the source. */
  readonly offset: number
}

export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not"

export type Bitwise = "&" | "|" | "^" | "<<" | ">>"

export interface CallArguments {
  readonly positional: ReadonlyArray<Expression>
  readonly named: ReadonlyArray<readonly [string, Expression]>
  /** `*values` and `**values`. */
  readonly spread?: Expression | undefined
  readonly spreadNamed?: Expression | undefined
}

export type Expression =
  | (Located & { readonly kind: "literal"; readonly value: Runtime })
  | (Located & { readonly kind: "name"; readonly name: string })
  | (Located & { readonly kind: "list" | "tuple"; readonly items: ReadonlyArray<Expression> })
  | (Located & { readonly kind: "dict"; readonly entries: ReadonlyArray<readonly [Expression, Expression]> })
  | (Located & {
      readonly kind: "binary"
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    })
  | (Located & {
      readonly kind: "bitwise"
      readonly operator: Bitwise
      readonly left: Expression
      readonly right: Expression
    })
  | (Located & { readonly kind: "unary"; readonly operator: "-" | "+" | "~" | "not"; readonly operand: Expression })
  | (Located & { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression })
  | (Located & {
      readonly kind: "compare"
      readonly first: Expression
      readonly rest: ReadonlyArray<readonly [Comparator, Expression]>
    })
  | (Located & {
      readonly kind: "choice"
      readonly test: Expression
      readonly consequent: Expression
      readonly otherwise: Expression | undefined
    })
  | (Located & { readonly kind: "attribute"; readonly target: Expression; readonly name: string })
  | (Located & { readonly kind: "item"; readonly target: Expression; readonly key: Expression })
  | (Located & {
      readonly kind: "slice"
      readonly target: Expression
      readonly start: Expression | undefined
      readonly stop: Expression | undefined
      readonly step: Expression | undefined
    })
  | (Located & { readonly kind: "call"; readonly target: Expression; readonly args: CallArguments })
  /** `a ~ b ~ c`, templates only. */
  | (Located & { readonly kind: "concat"; readonly parts: ReadonlyArray<Expression> })
  /** `value | name(args)` and `value is name(args)`, templates only; no value inside `{% filter %}`. */
  | (Located & {
      readonly kind: "filter"
      readonly target: Expression | undefined
      readonly name: string
      readonly args: CallArguments
    })
  | (Located & {
      readonly kind: "test"
      readonly target: Expression
      readonly name: string
      readonly args: CallArguments
    })
  /** Valid syntax that the language leaves out; it fails only when it is evaluated. Conditions only. */
  | (Located & { readonly kind: "unsupported"; readonly what: string; readonly remedy: string | undefined })
  /** An f-string, conditions only: texts and formatted values in a row. */
  | (Located & { readonly kind: "format"; readonly parts: ReadonlyArray<string | FormattedPart> })

/** `{value:specification}`; a conversion such as `!r` has no effect in the reference and is not kept. */
export interface FormattedPart {
  readonly value: Expression
  readonly specification: ReadonlyArray<string | FormattedPart>
}
