import { assert, describe, it } from "@effect/vitest"
import { ConnectionCounts, plainAddress } from "../../src/rtmp/ConnectionCounts.ts"

describe("ConnectionCounts", () => {
  it("limits connections in all and by address", () => {
    const counts = new ConnectionCounts({ connections: 3, connectionsPerAddress: 2 })
    const first = counts.take("192.0.2.1")
    assert.isDefined(first)
    assert.isDefined(counts.take("192.0.2.1"))
    assert.isUndefined(counts.take("192.0.2.1"))
    assert.isDefined(counts.take("192.0.2.2"))
    assert.isUndefined(counts.take("192.0.2.3"))
    first?.()
    assert.isDefined(counts.take("192.0.2.1"))
  })

  it("counts an IPv6 network of 64 bits as one address", () => {
    const counts = new ConnectionCounts({ connections: 100, connectionsPerAddress: 1 })
    assert.isDefined(counts.take("2001:db8:0:1::1"))
    assert.isUndefined(counts.take("2001:db8:0:1:ffff::2"))
    assert.isUndefined(counts.take("2001:0db8:0000:0001:a:b:c:d"))
    assert.isDefined(counts.take("2001:db8:0:2::1"))
    assert.isDefined(counts.take("2001:db8::1"))
    assert.isDefined(counts.take("::1"))
    assert.isUndefined(counts.take("::2"))
    assert.isDefined(counts.take("fe80::1%eth0"))
  })

  it("takes IPv4 in IPv6 for IPv4", () => {
    assert.strictEqual(plainAddress("::ffff:192.0.2.1"), "192.0.2.1")
    assert.strictEqual(plainAddress("::1"), "::1")
  })
})
