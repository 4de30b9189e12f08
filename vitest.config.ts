import { defineConfig } from "vitest/config"

const shared = { environment: "node" as const, testTimeout: 60_000, hookTimeout: 60_000 }

/** Files that measure milliseconds of real processes, and so wait until all others are done. */
const measuring = ["test/e2e/mcp/Ending.test.ts", "test/fault/HostGone.test.ts"]

export default defineConfig({
  test: {
    // Layers give every test its own state, so one module graph per worker is safe and several times faster. What a project
    // says of isolation is not heard.
    isolate: false,
    // Two processes test the built program side by side, while one thread does the rest.
    poolOptions: { forks: { maxForks: 2, minForks: 1 }, threads: { maxThreads: 1, minThreads: 1 } },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/{unit,contract,golden,snapshots}/**/*.test.ts"],
          pool: "threads"
        }
      },
      {
        test: {
          ...shared,
          name: "e2e",
          include: ["test/{e2e,fault}/**/*.test.ts"],
          exclude: measuring,
          testTimeout: 120_000,
          pool: "forks"
        }
      },
      {
        test: {
          ...shared,
          name: "timing",
          include: measuring,
          testTimeout: 120_000,
          pool: "forks",
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
