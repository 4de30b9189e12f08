/**
 * Workflow inputs as tool parameters. A parameter is `^[a-zA-Z0-9_]{1,64}$`, since one key outside of that makes hosts drop
 * the tool or the whole list; an input with such a name keeps it, any other gets one, reversibly.
 */
import { createHash } from "node:crypto"
import { assignNames, type Claim } from "./NameLadder.ts"

/** The reserved parameter of every workflow tool. */
export const WAIT_SECONDS = "_wait_seconds"

const LONGEST = 64

/** Names that every JavaScript object has would look present to a validator when they are not. */
const isPortable = (input: string): boolean => /^[a-zA-Z0-9_]{1,64}$/.test(input) && !(input in {})

const ladderOf = (input: string): Claim["ladder"] => {
  const clean = input.replace(/[^a-zA-Z0-9]+/g, "_").replace(/^_+|_+$/g, "")
  const readable = clean === "" || clean in {} ? `input${clean === "" ? "" : `_${clean}`}` : clean
  const hash = createHash("sha256").update(JSON.stringify(input)).digest("hex")
  const hashed = (length: number): string => `${readable.slice(0, LONGEST - length - 1)}_${hash.slice(0, length)}`
  const whole = readable.length <= LONGEST ? [readable] : []
  const [first, ...rest] = [...whole, hashed(8), hashed(32)]
  return [first ?? readable, ...rest]
}

/** Parameter → workflow input, for the inputs whose parameter has another name. Independent of the order of the inputs. */
export const renamedParameters = (inputs: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const [portable, others] = [inputs.filter(isPortable), inputs.filter((input) => !isPortable(input))]
  const claims = others.map((id): Claim => ({ id, ladder: ladderOf(id) }))
  const { names } = assignNames(claims, [...portable, WAIT_SECONDS])
  return Object.fromEntries([...names].map(([input, parameter]) => [parameter, input]))
}

/** The name by which the workflow knows a parameter. */
export const inputOf = (parameters: Readonly<Record<string, string>>, parameter: string): string =>
  (Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined) ?? parameter
