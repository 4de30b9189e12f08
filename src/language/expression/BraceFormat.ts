/** `'{0:>5} {name}'.format(...)`. Attributes of values cannot be reached through it, items can. */
import type { Budget } from "./Budget.ts"
import { valueFault } from "./Fault.ts"
import { formatValue } from "./FormatSpec.ts"
import { quote, show } from "./PythonText.ts"
import type { Arguments, Runtime } from "./Runtime.ts"
import { itemOf } from "./Subscript.ts"
import { typeName } from "./TypeName.ts"

interface Fields {
  readonly args: Arguments
  automatic: number
  numbered: boolean
}

export const braceFormat = (format: string, args: Arguments, budget: Budget): string =>
  expand(format, { args, automatic: 0, numbered: false }, budget, 2)

const expand = (format: string, fields: Fields, budget: Budget, depth: number): string => {
  if (depth === 0) throw valueFault("Max string recursion exceeded")
  let text = ""
  let position = 0
  while (position < format.length) {
    budget.spend()
    const brace = format.slice(position).search(/[{}]/)
    if (brace < 0) return text + format.slice(position)
    text += format.slice(position, position + brace)
    position += brace
    if (format[position] === format[position + 1]) {
      text += format[position] ?? ""
      position += 2
      continue
    }
    if (format[position] === "}") throw valueFault("Single '}' encountered in format string")
    const end = closing(format, position)
    text += replaced(format.slice(position + 1, end), fields, budget, depth)
    budget.allocate(text.length)
    position = end + 1
  }
  return text
}

const closing = (format: string, open: number): number => {
  let depth = 0
  for (let index = open; index < format.length; index++) {
    if (format[index] === "{") depth += 1
    if (format[index] === "}") depth -= 1
    if (depth === 0) return index
  }
  throw valueFault(
    open === format.length - 1 ? "Single '{' encountered in format string" : "expected '}' before end of string"
  )
}

const replaced = (body: string, fields: Fields, budget: Budget, depth: number): string => {
  const match = /^([^!:[]*(?:\[[^\]]*\][^!:[]*)*)(?:!([^:]?))?(?::([\s\S]*))?$/.exec(body)
  if (match === null) throw valueFault(`bad replacement field '{${body}}'`)
  const [, path = "", conversion, spec = ""] = match
  const value = resolve(path, fields, budget)
  return formatValue(convert(value, conversion, budget), expand(spec, fields, budget, depth - 1), budget)
}

const convert = (value: Runtime, conversion: string | undefined, budget: Budget): Runtime => {
  if (conversion === undefined) return value
  if (conversion === "s") return show(value, budget)
  if (conversion === "r" || conversion === "a") return quote(value, budget)
  throw valueFault(`Unknown conversion specifier '${conversion}'`)
}

const resolve = (path: string, fields: Fields, budget: Budget): Runtime => {
  const [, name = "", rest = ""] = /^([^.[]*)([\s\S]*)$/.exec(path) ?? []
  let value = argument(name, fields)
  for (const step of rest.matchAll(/\.([^.[]*)|\[([^\]]*)\]/g)) {
    const key = step[2]
    if (key === undefined) throw valueFault(`'${typeName(value)}' object has no attribute '${step[1] ?? ""}'`)
    const item = itemOf(value, /^\d+$/.test(key) ? Number(key) : key, budget)
    if (item === undefined) throw valueFault(`no such item: '${key}'`)
    value = item
  }
  return value
}

const argument = (name: string, fields: Fields): Runtime => {
  if (name !== "" && !/^\d+$/.test(name)) {
    const value = fields.args.named.get(name)
    if (value === undefined) throw valueFault(`no such argument: '${name}'`)
    return value
  }
  if (name === "" ? fields.numbered : fields.automatic > 0) {
    throw valueFault("cannot switch between manual field specification and automatic field numbering")
  }
  if (name !== "") fields.numbered = true
  const index = name === "" ? fields.automatic++ : Number(name)
  const value = fields.args.positional[index]
  if (value === undefined) throw valueFault(`Replacement index ${index} out of range for positional args tuple`)
  return value
}
