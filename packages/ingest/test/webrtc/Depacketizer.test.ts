import { assert, describe, it } from "@effect/vitest"
import { type AccessUnit, Depacketizer } from "../../src/webrtc/h264/Depacketizer.ts"
import type { Ordered } from "../../src/webrtc/rtp/Reordering.ts"
import type { RtpPacket } from "../../src/webrtc/rtp/RtpPacket.ts"
import { type Random, randomOf, seeds } from "../support/Random.ts"
import { rtp } from "../support/Rtp.ts"

const unitOf = (type: number, random: Random, length: number): Buffer =>
  Buffer.concat([Buffer.from([0x60 | type]), random.bytes(length)])

/** Payloads of one picture: units alone, together (STAP-A) or in pieces (FU-A). */
const payloadsOf = (units: ReadonlyArray<Buffer>, random: Random): ReadonlyArray<Buffer> => {
  const payloads: Array<Buffer> = []
  for (let at = 0; at < units.length;) {
    const together = units.slice(at, at + 1 + random.below(3))
    if (together.length > 1) {
      const sized = together.map((unit) => Buffer.concat([Buffer.from([unit.length >> 8, unit.length & 0xff]), unit]))
      payloads.push(Buffer.concat([Buffer.from([0x60 | 24]), ...sized]))
      at += together.length
      continue
    }
    const unit = units[at++]!
    if (unit.length < 3 || random.below(3) === 0) {
      payloads.push(unit)
      continue
    }
    for (let from = 1; from < unit.length;) {
      const to = Math.min(unit.length, from + 1 + random.below(200))
      const flags = (from === 1 ? 0x80 : 0) | (to === unit.length ? 0x40 : 0)
      payloads.push(Buffer.concat([Buffer.from([0x60 | 28, flags | (unit[0]! & 0x1f)]), unit.subarray(from, to)]))
      from = to
    }
  }
  return payloads
}

const stream = (random: Random, pictures: number) => {
  const all = Array.from({ length: pictures }, (_, index) => {
    const keyframe = index % 5 === 0
    const units = [
      ...(keyframe ? [unitOf(7, random, 12), unitOf(8, random, 4)] : []),
      ...Array.from({ length: 1 + random.below(3) }, () => unitOf(keyframe ? 5 : 1, random, 1 + random.below(900)))
    ]
    return { units, keyframe, timestamp: index * 3000 }
  })
  const packets: Array<RtpPacket> = []
  for (const { timestamp, units } of all) {
    const payloads = payloadsOf(units, random)
    for (const [index, payload] of payloads.entries()) {
      packets.push(rtp({ sequence: packets.length, timestamp, payload, marker: index === payloads.length - 1 }))
    }
  }
  return { all, packets }
}

const run = (ordered: ReadonlyArray<Ordered>): ReadonlyArray<AccessUnit> => {
  const depacketizer = new Depacketizer()
  return ordered.flatMap((one) => depacketizer.add(one))
}

describe("Depacketizer", () => {
  it("makes the same pictures of units alone, together and in pieces", () => {
    for (let seed = 1; seed <= seeds(30, 1000); seed++) {
      const { all, packets } = stream(randomOf(seed), 20)
      assert.deepEqual(run(packets.map((packet) => ({ packet, gap: false }))), all)
    }
  })

  it("ends a picture without a mark where the next one begins", () => {
    const { all, packets } = stream(randomOf(7), 10)
    const unmarked = packets.map((packet) => ({ packet: { ...packet, marker: false }, gap: false }))
    assert.deepEqual(run(unmarked), all.slice(0, -1))
  })

  it("gives nothing from a missing packet to the next keyframe", () => {
    for (let seed = 1; seed <= seeds(30, 1000); seed++) {
      const random = randomOf(seed)
      const { all, packets } = stream(random, 20)
      const missing = random.below(packets.length - 1)
      const ordered = packets.flatMap((packet, index) =>
        index === missing ? [] : [{ packet, gap: index === missing + 1 }]
      )
      const hurt = all.findIndex(({ timestamp }) => timestamp === packets[missing]!.timestamp)
      const given = run(ordered)
      // Whatever is given was sent so, and nothing that needs the missing one is given.
      const broken = all.slice(hurt, Math.ceil((hurt + 1) / 5) * 5)
      for (const picture of given) {
        assert.deepInclude(all, picture)
        assert.notDeepInclude(broken, picture)
      }
      assert.isAtLeast(given.length, all.length - broken.length - 5)
    }
  })

  it("takes any bytes without a word, and keeps no more than a picture", () => {
    for (let seed = 1; seed <= seeds(200, 20_000); seed++) {
      const random = randomOf(seed)
      const depacketizer = new Depacketizer()
      for (let sequence = 0; sequence < 50; sequence++) {
        const payload = random.bytes(random.pick([0, 1, 2, 3, 10, 1200]))
        if (payload.length > 0) payload[0] = random.pick([0x7c, 0x78, 0x65, 0x61, 0x67, payload[0]!])
        const timestamp = random.below(3)
        const packet = rtp({ sequence, timestamp, payload, marker: random.below(4) === 0 })
        depacketizer.add({ packet, gap: random.below(10) === 0 })
      }
    }
    const depacketizer = new Depacketizer()
    const pieces = Array.from({ length: 8000 }, (_, sequence) =>
      rtp({ sequence, payload: Buffer.concat([Buffer.from([0x7c, sequence === 0 ? 0x85 : 0x05]), Buffer.alloc(1200)]) })
    )
    assert.deepEqual(
      pieces.flatMap((packet) => depacketizer.add({ packet, gap: false })),
      []
    )
  })
})
