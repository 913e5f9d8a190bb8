import { assert, describe, it } from "@effect/vitest"
import { Malformed } from "../../src/webrtc/bytes/Malformed.ts"
import { stunAnswer } from "../../src/webrtc/stun/StunAnswer.ts"
import { integrityOf, isAuthentic, readStunRequest } from "../../src/webrtc/stun/StunRequest.ts"
import { randomOf, seeds } from "../support/Random.ts"

/** RFC 5769, 2.1 */
const request = Buffer.from(
  "000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74" +
    "002400046e0001ff80290008932ff9b151263b36000600096576746a3a68367659202020" +
    "000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf",
  "hex"
)
const password = "VOkJxbRl1RmTxUk/WvJxBt"

describe("STUN", () => {
  it("reads the request of RFC 5769, 2.1, and knows who sent it", () => {
    const read = readStunRequest(request)!
    assert.strictEqual(read.localFragment, "evtj")
    assert.isFalse(read.nominates)
    assert.isTrue(isAuthentic(request, read, password))
    assert.isFalse(isAuthentic(request, read, "another"))
  })

  it("answers with the addresses of RFC 5769, 2.2 and 2.3, behind a proof of the password", () => {
    const read = readStunRequest(request)!
    const four = stunAnswer(read, { address: "192.0.2.1", port: 32_853 }, password)
    assert.strictEqual(four.subarray(20, 32).toString("hex"), "002000080001a147e112a643")
    // A socket of IPv6 knows peers of IPv4 so.
    assert.deepEqual(stunAnswer(read, { address: "::ffff:192.0.2.1", port: 32_853 }, password), four)
    assert.deepEqual(four.subarray(36, 56), integrityOf(four, 32, password))
    const six = stunAnswer(read, { address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32_853 }, password)
    assert.strictEqual(six.subarray(20, 44).toString("hex"), "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9")
  })

  it("takes nothing that was changed, and reads any bytes", () => {
    const original = readStunRequest(request)!
    for (let seed = 1; seed <= seeds(2000, 100_000); seed++) {
      const random = randomOf(seed)
      const bytes = Buffer.from(request)
      // What stands behind the proof is not covered by it.
      bytes[random.below(original.integrityAt + 24)]! ^= 1 + random.below(255)
      for (const input of [bytes, random.bytes(random.below(80))]) {
        try {
          const read = readStunRequest(input)
          if (read !== undefined) assert.isFalse(isAuthentic(input, read, password))
        } catch (error) {
          assert.instanceOf(error, Malformed)
        }
      }
    }
  })
})
