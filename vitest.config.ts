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
          // One more than the two cores of the machines this runs on: many tests wait, for an outage to end or a page.
          maxWorkers: 3,
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
          // These start programs that keep both cores busy by themselves.
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
