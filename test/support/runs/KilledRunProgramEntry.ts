/**
 * The process of a run that is killed behind one event: its first argument is the number of the event. The kill is a real
 * SIGKILL, at the moment when the line has been written and nobody has been told yet.
 */
import { open, type FileHandle } from "node:fs/promises"
import { enableCodeCache } from "../../../src/platform/CodeCache.ts"

enableCodeCache(__dirname, "run")

const [, , last = "", verb, folder = "", ...flags] = process.argv
const beginning = Buffer.from(`{"seq":${last},`)

const patch = async (): Promise<void> => {
  const handle = await open(__filename)
  const prototype = Object.getPrototypeOf(handle) as { write: (bytes: Buffer, ...rest: Array<number>) => unknown }
  const { write } = prototype
  prototype.write = async function (this: FileHandle, bytes, ...rest) {
    const result = await write.call(this, bytes, ...rest)
    if (bytes.subarray(0, beginning.length).equals(beginning)) process.kill(process.pid, "SIGKILL")
    return result
  }
  await handle.close()
}

if (verb === "__run") {
  void Promise.all([import("../../../src/runs/RunHost.ts"), patch()]).then(([{ runHost }]) => runHost(folder, flags))
}
