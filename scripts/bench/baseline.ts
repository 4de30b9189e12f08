// Starts the yardstick the way `src/main.ts` starts the program: the code cache first, then the one chunk.
import { enableCodeCache } from "../../src/platform/CodeCache.ts"

enableCodeCache(__dirname, "serve")

void import("./baselineServer.ts")
