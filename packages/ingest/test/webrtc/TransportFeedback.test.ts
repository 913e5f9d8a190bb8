import { assert, describe, it } from "@effect/vitest"
import { readRtcp, repeatRequest } from "../../src/webrtc/rtp/Rtcp.ts"
import { TransportFeedback } from "../../src/webrtc/rtp/TransportFeedback.ts"
import { randomOf, seeds } from "../support/Random.ts"

/** Reads a report as its receiver does: the first number, and for each packet the quarters of a millisecond, or none. */
const read = (bytes: Buffer) => {
  assert.strictEqual(bytes[1], 205)
  assert.strictEqual(bytes[0]! & 0x1f, 15)
  assert.strictEqual(bytes.length, 4 + 4 * bytes.readUInt16BE(2))
  const count = bytes.readUInt16BE(14)
  const symbols: Array<number> = []
  let at = 20
  while (symbols.length < count) {
    const chunk = bytes.readUInt16BE(at)
    assert.strictEqual(chunk >> 14, 3)
    for (let shift = 12; shift >= 0; shift -= 2) symbols.push((chunk >> shift) & 3)
    at += 2
  }
  let time = bytes.readUIntBE(16, 3) * 256
  const times = symbols.slice(0, count).map((symbol) => {
    if (symbol === 0) return undefined
    time += symbol === 1 ? bytes[at]! : bytes.readInt16BE(at)
    at += symbol
    return time
  })
  const padding = (bytes[0]! & 0x20) === 0 ? 0 : bytes.at(-1)!
  assert.strictEqual(at + padding, bytes.length)
  return { first: bytes.readUInt16BE(12), times, report: bytes[19] }
}

describe("feedback", () => {
  it("says when each packet arrived, and which did not, across where numbers wrap around", () => {
    for (let seed = 1; seed <= seeds(50, 2000); seed++) {
      const random = randomOf(seed)
      const feedback = new TransportFeedback()
      let number = 65_500
      let now = 1_000_000 * random.below(100)
      for (let round = 0; round < 4; round++) {
        const sent: Array<number | undefined> = []
        const first = number
        for (let count = 0; count < 30; count++) {
          now += random.below(100)
          const arrives = count === 0 || count === 29 || random.below(5) > 0
          if (arrives) feedback.add(number % 65_536, now)
          sent.push(arrives ? now * 4 : undefined)
          number += 1
        }
        const got = read(feedback.report(1, 2)!)
        assert.deepEqual(got, { first: first % 65_536, times: sent, report: round })
        assert.isUndefined(feedback.report(1, 2))
      }
    }
  })

  it("asks for packets by first number and mask", () => {
    const asked = repeatRequest(1, 2, [65_535, 0, 15, 16, 40])
    assert.strictEqual(asked.subarray(12).toString("hex"), "ffff80010010000000280000")
  })

  it("reads any bytes as reports", () => {
    for (let seed = 1; seed <= seeds(2000, 100_000); seed++) {
      const random = randomOf(seed)
      const bytes = random.bytes(random.below(120))
      if (bytes.length > 1) bytes.set([0x80, random.pick([200, 201, 203, 206])])
      assert.isAtMost(readRtcp(bytes).reports.length, 5)
    }
  })
})
