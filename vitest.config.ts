import { defineConfig } from "vitest/config"

const everything = ["packages/*/test/**/*.test.ts", "runner/test/**/*.test.ts", "scripts/**/*.test.ts"]
const endToEnd = ["packages/node/test/e2e/**/*.test.ts"]

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: everything,
          exclude: endToEnd,
          environment: "node",
          // Twice the cores of the machines this runs on: many tests wait, for an outage to end or a page.
          maxWorkers: 4,
          // Files share the modules that a worker has read and warmed, and nothing else: a third less work.
          isolate: false
        }
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: endToEnd,
          environment: "node",
          // One more than the cores: these start programs that keep them busy, and wait for what restarts.
          maxWorkers: 3,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
