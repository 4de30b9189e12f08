import { defineConfig } from "vitest/config"

const shared = { environment: "node" as const, testTimeout: 60_000, hookTimeout: 60_000 }

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
          include: ["test/{unit,contract,golden}/**/*.test.ts"],
          pool: "threads"
        }
      },
      {
        test: {
          ...shared,
          name: "e2e",
          include: ["test/{e2e,fault}/**/*.test.ts"],
          testTimeout: 120_000,
          pool: "forks"
        }
      }
    ]
  }
})
