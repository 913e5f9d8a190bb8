import { describe, expect, it } from "vitest"
import { sum } from "../support/soak/Resources.ts"
import { soak } from "../support/soak/Soak.ts"

/** MiB that a node may have gained in a minute: something that keeps every answer would pass it. */
const generous = 200

describe("an instance that everybody uses at once", () => {
  it("answers all of them rightly, and has nothing left to do or to tidy up", { timeout: 420_000 }, async () => {
    const { backlog, descriptors, memory, tally, temporaryFiles } = await soak({
      seconds: 30,
      warmSeconds: 10,
      pace: 0.5
    })
    expect(tally.errors).toEqual([])
    // Everybody was there, and got on with it.
    for (const party of ["viewers", "people", "uploads", "federation", "inbox", "administrators"]) {
      const done = tally.all.filter(({ kind }) => kind.startsWith(`${party}:`))
      expect(sum(done.map(({ times }) => times.length)), party).toBeGreaterThan(0)
    }
    expect(backlog).toEqual(Object.fromEntries(Object.keys(backlog).map((name) => [name, 0])))
    expect(Object.keys(backlog).length).toBeGreaterThan(5)
    expect(temporaryFiles).toEqual([])
    expect(sum(Object.values(descriptors.after))).toBeLessThanOrEqual(sum(Object.values(descriptors.before)) + 2)
    const [first, last] = [memory[0]!, memory.at(-1)!]
    expect(last.heap - first.heap).toBeLessThan(generous)
    expect(last.anonymous - first.anonymous).toBeLessThan(generous)
  })
})
