import { assert, describe, it } from "@effect/vitest"
import { availableMemory, serverMemory } from "../../../src/platform/embedded/ServerMemory.ts"

const giga = 1024 ** 3

describe("serverMemory", () => {
  it("leaves a small machine most of its memory, and takes what helps of a large one", () => {
    assert.deepStrictEqual(serverMemory(giga), {
      shared_buffers: "96MB",
      effective_cache_size: "512MB",
      work_mem: "8MB",
      maintenance_work_mem: "64MB",
      max_wal_size: "512MB"
    })
    assert.strictEqual(serverMemory(8 * giga).shared_buffers, "512MB")
    assert.deepStrictEqual(serverMemory(24 * giga), {
      shared_buffers: "1024MB",
      effective_cache_size: "12288MB",
      work_mem: "32MB",
      maintenance_work_mem: "256MB",
      max_wal_size: "3072MB"
    })
  })

  it("knows how much there is", () => {
    assert.isAbove(availableMemory(), 64 * 1024 * 1024)
  })
})
