/** How filters and tests are described; one outside these tables does not exist. */
import { binder, type Parameters } from "../expression/Arguments.ts"
import type { Budget } from "../expression/Budget.ts"
import { typeFault } from "../expression/Fault.ts"
import type { Values } from "../expression/Method.ts"
import { show } from "../expression/PythonText.ts"
import { type Arguments, Markup, type Runtime, textOf, Undefined } from "../expression/Runtime.ts"
import { typeName } from "../expression/TypeName.ts"

/** What filters may ask of the rendering they run in. */
export interface Host {
  readonly budget: Budget
  /** Whether `{% autoescape true %}` is in force. */
  readonly escaping: boolean
  applyFilter(name: string, value: Runtime, args: Arguments): Runtime
  applyTest(name: string, value: Runtime, args: Arguments): boolean
}

export type Filter = (value: Runtime, args: Arguments, host: Host) => Runtime
export type FilterTable = ReadonlyMap<string, Filter>

export const filter = (
  name: string,
  parameters: Parameters,
  run: (value: Runtime, values: Values, host: Host) => Runtime
): readonly [string, Filter] => {
  const bind = binder(name, parameters)
  return [name, (value, args, host) => run(value, bind(args), host)]
}

/** A filter on text: anything else is printed first, HTML stays HTML. */
export const textFilter = (
  name: string,
  parameters: Parameters,
  run: (text: string, values: Values, host: Host) => string
): readonly [string, Filter] =>
  filter(name, parameters, (value, values, host) => {
    const result = run(show(value, host.budget), values, host)
    return value instanceof Markup ? new Markup(result) : result
  })

/** The text of a value that has to be one. */
export const needText = (value: Runtime | undefined, what: string): string => {
  if (value instanceof Undefined) throw value.fault()
  const text = textOf(value)
  if (text === undefined) throw typeFault(`${what} must be str, not ${typeName(value ?? null)}`)
  return text
}
