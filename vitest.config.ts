import { defineConfig } from "vitest/config"

const everything = ["packages/*/test/**/*.test.ts", "runner/test/**/*.test.ts", "scripts/**/*.test.ts"]
const endToEnd = ["packages/node/test/e2e/**/*.test.ts"]

/** Twice the cores of the machines this runs on: many tests wait, for an outage to end or a page. */
const maxWorkers = 4

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
          maxWorkers,
          // Files share the modules that a worker has read and warmed, and nothing else: a third less work.
          isolate: false,
          // And keys of actors, the costliest part of a suite's node.
          setupFiles: ["packages/node/test/support/KeysInTurn.ts"]
        }
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: endToEnd,
          environment: "node",
          // In one group with the others, whose number must be the same, and before them, as its name comes before theirs:
          // the longest files run first, and short ones fill what the last of them leave free.
          maxWorkers,
          testTimeout: 180_000,
          hookTimeout: 180_000
        }
      }
    ]
  }
})
