import { assert, describe, it } from "@effect/vitest"
import { Reordering } from "../../src/webrtc/rtp/Reordering.ts"
import { randomOf, seeds } from "../support/Random.ts"
import { rtp } from "../support/Rtp.ts"

const limits = { maxDelay: 500, packets: 200 }

describe("Reordering", () => {
  it("puts packets in order, whichever way they arrive, beyond where their numbers wrap around", () => {
    for (let seed = 1; seed <= seeds(50, 2000); seed++) {
      const random = randomOf(seed)
      const order = new Reordering(limits)
      const sent = Array.from({ length: 300 }, (_, index) => rtp({ sequence: (65_400 + index) % 65_536 }))
      const arriving = sent
        .map((packet, index) => ({ packet, at: index === 0 ? -1 : index + random.below(20) }))
        .toSorted((one, other) => one.at - other.at)
        .flatMap(({ packet }) => (random.below(10) === 0 ? [packet, packet] : [packet]))
      const got = arriving.flatMap((packet, index) => order.add(packet, index))
      assert.deepEqual(
        got,
        sent.map((packet) => ({ packet, gap: false }))
      )
      assert.deepEqual([order.lost, order.received], [0, 300])
    }
  })

  it("asks for what is missing, each once within the interval, and gives it up in the end", () => {
    const order = new Reordering(limits)
    order.add(rtp({ sequence: 10 }), 0)
    assert.deepEqual(order.add(rtp({ sequence: 13 }), 0), [])
    assert.deepEqual(order.ask(1, 100), [11, 12])
    assert.deepEqual(order.ask(50, 100), [])
    assert.deepEqual(
      order.add(rtp({ sequence: 11 }), 60).map(({ packet }) => packet.sequence),
      [11]
    )
    assert.deepEqual(order.ask(101, 100), [12])
    assert.deepEqual(order.release(499), [])
    assert.deepEqual(
      order.release(500).map(({ gap, packet }) => [packet.sequence, gap]),
      [[13, true]]
    )
    assert.deepEqual(order.add(rtp({ sequence: 12 }), 501), [])
    assert.strictEqual(order.lost, 1)
  })

  it("begins anew after a jump, and keeps no more packets than its limit", () => {
    const order = new Reordering(limits)
    order.add(rtp({ sequence: 0 }), 0)
    assert.deepEqual(
      order.add(rtp({ sequence: 20_000 }), 1).map(({ gap, packet }) => [packet.sequence, gap]),
      [[20_000, true]]
    )
    assert.deepEqual(order.ask(2, 100), [])
    let given = 0
    for (let step = 2; step < 400; step++) given += order.add(rtp({ sequence: 20_000 + step }), 2).length
    assert.isAbove(given, 150)
  })
})
