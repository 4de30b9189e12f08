/**
 * The processes through which this one was started: its parent and, as long as that is a shell for one command line
 * (`sh -c`, which `npm` and `npx` put in between), the parent of the shell as well. It only looks.
 *
 * Only Linux tells about other processes. Elsewhere the chain ends with the parent.
 */
import { commandLineOf, parentOf } from "./ProcessTable.ts"

/** The nearest process first. */
export type LaunchChain = ReadonlyArray<number>

/** Other shells may be the host itself, whose own parent may well end before it does. */
const isCommandShell = (pid: number): boolean => {
  const [name = "", flag = ""] = commandLineOf(pid)
  return /(?:^|\/)\w*sh$/.test(name) && /^-\w*c$/.test(flag)
}

const continued = (chain: LaunchChain): LaunchChain => {
  const last = chain.at(-1)
  const next = last !== undefined && isCommandShell(last) ? parentOf(last) : undefined
  return next === undefined ? chain : continued([...chain, next])
}

/** As it is now: to be taken once, at the start. */
export const launchChain = (): LaunchChain => continued([process.ppid])

/** False when one of the chain has ended: its child then has another parent. */
export const isUnbroken = (chain: LaunchChain): boolean =>
  chain.every((pid, index) => {
    const child = chain[index - 1]
    return pid === (child === undefined ? process.ppid : parentOf(child))
  })
