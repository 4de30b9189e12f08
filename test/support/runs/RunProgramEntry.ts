/** The part of the program that becomes the process of a run, for tests that do not want to build the whole. */
import { enableCodeCache } from "../../../src/platform/CodeCache.ts"

enableCodeCache(__dirname, "run")

const [, , verb, folder = "", ...flags] = process.argv
if (verb === "__run") void import("../../../src/runs/RunHost.ts").then(({ runHost }) => runHost(folder, flags))
