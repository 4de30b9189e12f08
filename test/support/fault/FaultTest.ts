/** The test function of the fault tests: every test gets a place of its own, and nothing that it started outlives it. */
import { test } from "vitest"
import { makePlace, type Place, ServerProcess } from "../../e2e/mcp/ServerProcess.ts"
import { leftoversOf, pidOf, runFolders } from "./RunRecords.ts"
import { isRunId } from "../../../src/domain/RunId.ts"
import { signal } from "../../../src/platform/ProcessGroup.ts"

interface ServeOptions {
  readonly args?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  /** Another home than that of the place. */
  readonly home?: string
}

interface Fixtures {
  readonly place: Place
  /** A server that has said hello. */
  readonly serve: (options?: ServeOptions) => Promise<ServerProcess>
}

/** A test may have left runs behind on purpose; none may write into a home that is being deleted. */
const endRuns = (home: string): void => {
  for (const runId of runFolders(home).filter(isRunId)) {
    const pid = pidOf(home, runId)
    if (pid !== undefined) signal(pid, "SIGKILL")
    for (const leftover of leftoversOf(runId)) signal(leftover, "SIGKILL")
  }
}

export const it = test.extend<Fixtures>({
  place: async ({ task: _task }, use) => {
    const place = makePlace()
    await use(place)
    endRuns(place.home)
    await place.remove()
  },
  serve: async ({ place }, use) => {
    const servers: Array<ServerProcess> = []
    const homes = new Set<string>()
    await use(async ({ args = [], environment = {}, home = place.home } = {}) => {
      homes.add(home)
      const server = new ServerProcess(place, args, { CONDUCTOR_HOME: home, ...environment })
      servers.push(server)
      return server.start()
    })
    for (const server of servers) server.process.kill("SIGKILL")
    await Promise.all(servers.map(({ ended }) => ended))
    for (const home of homes) endRuns(home)
  }
})
