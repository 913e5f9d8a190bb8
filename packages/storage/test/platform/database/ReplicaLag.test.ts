import { assert, describe, it } from "vitest"
import { lsnOf, ReplicaLag } from "../../../src/platform/database/replica/ReplicaLag.ts"

describe("ReplicaLag", () => {
  it("reads positions as PostgreSQL writes them", () => {
    assert.strictEqual(lsnOf("0/0"), 0n)
    assert.strictEqual(lsnOf("0/3000028"), 0x3000028n)
    assert.strictEqual(lsnOf("16/B374D848"), 0x16b374d848n)
    assert.strictEqual(lsnOf("FFFFFFFF/FFFFFFFF"), 2n ** 64n - 1n)
  })

  it("knows nothing before the replica has what the primary had at the first look", () => {
    const lag = new ReplicaLag()
    assert.strictEqual(lag.behind(0), Number.POSITIVE_INFINITY)
    lag.note({ at: 0, lsn: 100n }, 99n)
    assert.strictEqual(lag.behind(10), Number.POSITIVE_INFINITY)
    lag.note({ at: 1_000, lsn: 200n }, 100n)
    assert.strictEqual(lag.behind(1_500), 1_500)
  })

  it("grows while the replica stands still, and while nobody looks", () => {
    const lag = new ReplicaLag()
    lag.note({ at: 0, lsn: 100n }, 100n)
    lag.note({ at: 1_000, lsn: 150n }, 100n)
    lag.note({ at: 2_000, lsn: 170n }, 120n)
    assert.strictEqual(lag.behind(2_000), 2_000)
    lag.note({ at: 3_000, lsn: 170n }, 160n)
    assert.strictEqual(lag.behind(3_000), 2_000)
    lag.note({ at: 4_000, lsn: 170n }, 170n)
    assert.strictEqual(lag.behind(4_000), 0)
    assert.strictEqual(lag.behind(9_000), 5_000)
  })

  it("is none where nothing is written, and unknown again after it was away", () => {
    const lag = new ReplicaLag()
    for (let at = 0; at < 1_000_000; at += 1_000) lag.note({ at, lsn: 100n }, 100n)
    assert.strictEqual(lag.behind(999_000), 0)
    lag.forget()
    assert.strictEqual(lag.behind(999_000), Number.POSITIVE_INFINITY)
  })
})
