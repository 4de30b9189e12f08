/** Matches the arguments of a call with the parameters of a built-in function. */
import { typeFault } from "./Fault.ts"
import type { Arguments, Runtime } from "./Runtime.ts"

/** Parameters in order; a trailing `?` marks one that may be left out. */
export type Parameters = ReadonlyArray<string>

/** The values in the order of `parameters`, `undefined` for what was left out. */
export const bind = (owner: string, parameters: Parameters, args: Arguments): ReadonlyArray<Runtime | undefined> => {
  if (args.positional.length > parameters.length) {
    throw typeFault(`${owner}() takes at most ${parameters.length} argument(s), ${args.positional.length} given`)
  }
  const names = parameters.map((parameter) => parameter.replace(/\?$/, ""))
  const bound: Array<Runtime | undefined> = names.map((_, index) => args.positional[index])
  for (const [name, value] of args.named) {
    const index = names.indexOf(name)
    if (index < 0) throw typeFault(`${owner}() got an unexpected keyword argument '${name}'`)
    if (bound[index] !== undefined) throw typeFault(`${owner}() got multiple values for argument '${name}'`)
    bound[index] = value
  }
  for (const [index, parameter] of parameters.entries()) {
    if (bound[index] === undefined && !parameter.endsWith("?")) {
      throw typeFault(`${owner}() missing required argument: '${parameter}'`)
    }
  }
  return bound
}
