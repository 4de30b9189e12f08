/** How the allow-listed methods of a built-in type are described; a method outside these tables does not exist. */
import { binder, type Parameters } from "./Arguments.ts"
import type { Budget } from "./Budget.ts"
import { typeFault } from "./Fault.ts"
import { Native, type Arguments, type Runtime } from "./Runtime.ts"
import { typeName } from "./TypeName.ts"

export type Values = ReadonlyArray<Runtime | undefined>

export interface Method<Self> {
  readonly run: (self: Self, args: Arguments, budget: Budget) => Runtime
}

export type MethodTable<Self> = ReadonlyMap<string, Method<Self>>

export const method = <Self>(
  name: string,
  parameters: Parameters,
  run: (self: Self, values: Values, budget: Budget) => Runtime
): readonly [string, Method<Self>] => {
  const bind = binder(name, parameters)
  return [name, { run: (self, args, budget) => run(self, bind(args), budget) }]
}

/** A method that reads its arguments itself. */
export const variadic = <Self>(
  name: string,
  run: (self: Self, args: Arguments, budget: Budget) => Runtime
): readonly [string, Method<Self>] => [name, { run }]

export const boundMethod = <Self extends Runtime>(
  table: MethodTable<Self>,
  self: Self,
  name: string
): Native | undefined => {
  const found = table.get(name)
  if (found === undefined) return undefined
  const text = `<built-in method ${name} of ${typeName(self)} object>`
  return new Native(name, (args, budget) => found.run(self, args, budget), text)
}

export const requireText = (value: Runtime | undefined, what: string): string => {
  if (typeof value === "string") return value
  throw typeFault(`${what} must be str, not ${typeName(value ?? null)}`)
}
