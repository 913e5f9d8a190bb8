import { assert, describe, it } from "@effect/vitest"
import { readRtcp } from "../../src/webrtc/rtp/Rtcp.ts"
import { StreamClock } from "../../src/webrtc/rtp/StreamClock.ts"

/** A report of a sender whose clock shows so many milliseconds since 1900. */
const reportOf = (at: number, timestamp: number) => {
  const bytes = Buffer.alloc(28)
  bytes.set([0x80, 200, 0, 6])
  bytes.writeUInt32BE(Math.floor(at / 1000), 8)
  bytes.writeUInt32BE(Math.round(((at % 1000) / 1000) * 2 ** 32), 12)
  bytes.writeUInt32BE(timestamp, 16)
  return readRtcp(bytes).reports[0]!
}

describe("StreamClock", () => {
  it("brings picture and sound together by the sender's reports, however late each of them came", () => {
    const [picture, sound] = [new StreamClock(90_000), new StreamClock(48_000)]
    const sender = 3_900_000_000_000
    // The first picture was encoded for 120 ms, the first sound for 20 ms. Their counters begin anywhere.
    const [firstPicture, firstSound] = [4_294_900_000, 77]
    picture.timeOf(firstPicture, 1000 + 120)
    sound.timeOf(firstSound, 1000 + 20)
    assert.isUndefined(picture.offset)
    picture.report(reportOf(sender + 500, (firstPicture + 45_000) % 2 ** 32))
    sound.report(reportOf(sender + 700, firstSound + 33_600))
    sound.shift = picture.offset! - sound.offset!
    // Two seconds after the beginning, across where the counter of the picture wraps around.
    const seen = picture.timeOf((firstPicture + 180_000) % 2 ** 32, 9999)
    const heard = sound.timeOf(firstSound + 96_000, 9999)
    assert.closeTo(seen, 1000 + 120 + 2000, 0.1)
    assert.closeTo(heard, seen, 0.1)
  })
})
