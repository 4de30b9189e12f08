/** Matches the arguments of a call with the parameters of a built-in function. */
import { typeFault } from "./Fault.ts"
import type { Arguments, Runtime } from "./Runtime.ts"

/** Parameters in order; a trailing `?` marks one that may be left out, after which no required one follows. */
export type Parameters = ReadonlyArray<string>

export type Bind = (args: Arguments) => ReadonlyArray<Runtime | undefined>

/** A function from arguments to the values in the order of `parameters`, `undefined` for what was left out. */
export const binder = (owner: string, parameters: Parameters): Bind => {
  const names = parameters.map((parameter) => parameter.replace(/\?$/, ""))
  const required = parameters.filter((parameter) => !parameter.endsWith("?")).length
  return ({ named, positional }) => {
    if (positional.length > names.length) {
      throw typeFault(`${owner}() takes at most ${names.length} argument(s), ${positional.length} given`)
    }
    if (named.size === 0 && positional.length >= required) return positional
    const bound: Array<Runtime | undefined> = [...positional]
    for (const [name, value] of named) {
      const index = names.indexOf(name)
      if (index < 0) throw typeFault(`${owner}() got an unexpected keyword argument '${name}'`)
      if (bound[index] !== undefined) throw typeFault(`${owner}() got multiple values for argument '${name}'`)
      bound[index] = value
    }
    const missing = names.slice(0, required).find((_, index) => bound[index] === undefined)
    if (missing !== undefined) throw typeFault(`${owner}() missing required argument: '${missing}'`)
    return bound
  }
}

/** For functions that are called rarely. */
export const bind = (owner: string, parameters: Parameters, args: Arguments): ReadonlyArray<Runtime | undefined> =>
  binder(owner, parameters)(args)
