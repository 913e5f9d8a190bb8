import { defineConfig } from "vitest/config"

const everything = ["packages/*/test/**/*.test.ts", "runner/test/**/*.test.ts", "scripts/**/*.test.ts"]
const endToEnd = ["packages/node/test/e2e/**/*.test.ts"]

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    // Two workers: the machines this runs on have two cores, and most tests wait for a database or ffmpeg.
    maxWorkers: 2,
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
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
