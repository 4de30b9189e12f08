/**
 * Keeps stdout for protocol frames: whatever else prints, ours or a dependency's, goes to stderr from here on
 * (mcp hosts §5, item 13). Must run before anything that might print is loaded.
 */
import { Console } from "node:console"

/** Gives the real stdout to the caller alone; `process.stdout` and `console` mean stderr afterwards. */
export const takeStdout = (): NodeJS.WriteStream => {
  const { stdout, stderr } = process
  Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => stderr })
  // The global console may have bound the old stream already, and others may hold its methods: replace those too.
  Object.assign(globalThis.console, new Console({ stdout: stderr, stderr }))
  return stdout
}
