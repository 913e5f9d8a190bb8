import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makePeerFrames } from "../../src/peer/PeerFrames.ts"
import { extended, greeting, haveAll, message, numbers, unchoke } from "../support/Peer.ts"

const hello = greeting("ab".repeat(20))
const keepAlive = Buffer.alloc(4)

describe("messages of peers", () => {
  it("are the same however they are cut, and none that a leecher has no use for", () => {
    const heard = [hello, haveAll, unchoke, message(7, numbers(0, 0), Buffer.alloc(16_384, 1)), extended(0, "d1:mdee")]
    const unheard = [keepAlive, message(2), message(6, numbers(0, 0, 16_384)), message(99, Buffer.alloc(40_000))]
    const all = [...heard, ...unheard, unchoke, keepAlive]
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1 }), (cuts) => {
        const passed: Array<Buffer> = []
        const frames = makePeerFrames((one) => passed.push(one))
        const bytes = Buffer.concat(all)
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const size = cuts[n % cuts.length] as number
          frames(bytes.subarray(at, at + size))
          at += size
        }
        assert.isTrue(Buffer.concat(passed).equals(Buffer.concat([...heard, unchoke])))
      }),
      { numRuns: 50 }
    )
  })

  it("are refused when they claim more than a leecher waits for", () => {
    for (const [name, bytes] of [
      ["length", numbers(0x10000000)],
      ["block", message(7, numbers(0, 0), Buffer.alloc(16_385))],
      ["bitfield", message(5, Buffer.alloc(60_000))],
      ["piece", message(4, numbers(400_000))],
      ["handshake", extended(0, "d1:md1:ai256eee")]
    ] as const) {
      assert.throws(() => makePeerFrames(() => {})(Buffer.concat([hello, bytes])), undefined, undefined, name)
    }
    assert.throws(() => makePeerFrames(() => {})(Buffer.from("\x13BitTorrent protocal")))
  })
})
