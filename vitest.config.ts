import { defineConfig } from "vitest/config"

const shared = { environment: "node" as const, testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/{unit,contract,golden}/**/*.test.ts"],
          // Layers give every test its own state, so one module graph per worker is safe and about seven times faster.
          isolate: false,
          pool: "threads"
        }
      },
      {
        test: {
          ...shared,
          name: "e2e",
          include: ["test/{e2e,fault}/**/*.test.ts"],
          testTimeout: 120_000,
          isolate: false,
          pool: "forks",
          // Real processes on two cores: files run one after another, so that a time limit means what it says.
          fileParallelism: false
        }
      }
    ]
  }
})
