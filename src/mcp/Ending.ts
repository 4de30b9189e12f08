/**
 * The ends of a server. A host gives it between 0 and 600 ms (mcp hosts §4.1), so nothing that matters may happen here:
 * the runs are other processes, and everything durable is already on disk.
 */
import type { Readable, Writable } from "node:stream"
import { isUnbroken, launchChain } from "../platform/LaunchChain.ts"

/** Milliseconds that closing may take before the process goes anyway. */
const grace = 300

/** Milliseconds between looks at the launchers: one that dies may leave our stdin open (field reports 33). */
const launcherInterval = 1_000

/** Calls `close` once at the first sign of an end (stdin ends, stdout breaks, a signal, a launcher is gone), then exits. */
export const endWith = (
  streams: { readonly input: Readable; readonly output: Writable },
  close: () => Promise<void>
): void => {
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    const exit = (): never => process.exit(0)
    setTimeout(exit, grace)
    void close().then(exit, exit)
  }
  streams.input.on("end", end).on("close", end).on("error", end)
  // An error of stdout is a broken pipe, or as final as one.
  streams.output.on("error", end)
  // A host that does not want our log may close it and still want us.
  process.stderr.on("error", () => {})
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end)
  const launchers = launchChain()
  setInterval(() => (isUnbroken(launchers) ? undefined : end()), launcherInterval).unref()
}
