import { assert, describe, it } from "@effect/vitest"
import { X509Certificate } from "node:crypto"
import { DtlsServer } from "../../src/webrtc/dtls/DtlsServer.ts"
import { handshakeBytes, HandshakeReader } from "../../src/webrtc/dtls/Handshakes.ts"
import { prf } from "../../src/webrtc/dtls/Prf.ts"
import { plainRecord, readRecords } from "../../src/webrtc/dtls/Records.ts"
import { selfSigned } from "../../src/webrtc/dtls/SelfSigned.ts"
import { Malformed } from "../../src/webrtc/bytes/Malformed.ts"
import { randomOf, seeds } from "../support/Random.ts"

const now = Date.parse("2026-03-04T05:06:07Z")
const certificate = selfSigned(now)

/** The hello of a client: one suite, one curve, one profile of SRTP, and the extended master secret. */
const hello = Buffer.concat([
  Buffer.from([0xfe, 0xfd]),
  Buffer.alloc(32, 7),
  Buffer.from([0, 0, 0, 2, 0xc0, 0x2b, 1, 0]),
  Buffer.from([0, 25]),
  Buffer.from([0, 10, 0, 4, 0, 2, 0, 23]),
  Buffer.from([0, 14, 0, 5, 0, 2, 0, 1, 0]),
  Buffer.from([0, 23, 0, 0]),
  Buffer.from([0, 11, 0, 0])
])

const server = () => {
  const sent: Array<Uint8Array> = []
  const dtls = new DtlsServer(
    certificate,
    { hash: "sha256", value: "00" },
    {
      send: (datagram) => void sent.push(datagram),
      connected: () => assert.fail("connected"),
      closed: () => assert.fail("closed")
    }
  )
  return { dtls, sent }
}

describe("DTLS", () => {
  it("has the pseudo-random function of TLS 1.2", () => {
    // Published as a test vector of P_SHA256.
    const made = prf(
      Buffer.from("9bbe436ba940f017b17652849a71db35", "hex"),
      "test label",
      Buffer.from("a0ba9f936cda311827a6f796ffd5198c", "hex"),
      100
    )
    assert.strictEqual(
      made.toString("hex"),
      "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af" +
        "0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66"
    )
  })

  it("makes a certificate that others read, and that signs itself", () => {
    const read = new X509Certificate(certificate.der)
    assert.isTrue(read.verify(read.publicKey))
    assert.isTrue(read.checkIssued(read))
    assert.strictEqual(read.fingerprint256, certificate.fingerprint)
    assert.strictEqual(Date.parse(read.validFrom), now - 86_400_000)
  })

  it("puts messages together, whichever way their pieces arrive", () => {
    for (let seed = 1; seed <= seeds(50, 2000); seed++) {
      const random = randomOf(seed)
      const bodies = Array.from({ length: 5 }, () => random.bytes(random.below(300)))
      const pieces = bodies.flatMap((body, sequence) => {
        const cuts = [0, random.below(body.length + 1), body.length].toSorted((one, other) => one - other)
        return [0, 1].map((index) => {
          const piece = body.subarray(cuts[index]!, cuts[index + 1]!)
          const bytes = Buffer.concat([handshakeBytes(11, sequence, body).subarray(0, 12), piece])
          bytes.writeUIntBE(cuts[index]!, 6, 3)
          bytes.writeUIntBE(piece.length, 9, 3)
          return bytes
        })
      })
      const reader = new HandshakeReader()
      for (const piece of pieces.toSorted(() => random.below(3) - 1)) reader.add(piece)
      for (const [sequence, body] of bodies.entries()) {
        assert.deepEqual(reader.pull(), { type: 11, body, whole: handshakeBytes(11, sequence, body) })
      }
      assert.isUndefined(reader.pull())
      reader.add(pieces[0]!)
      assert.isTrue(reader.repeated)
    }
  })

  it("answers a hello in one datagram, and repeats the answer for a peer that asks again, a bounded number of times", () => {
    const { dtls, sent } = server()
    const datagram = plainRecord(22, 0, handshakeBytes(1, 0, hello))
    dtls.take(datagram)
    assert.lengthOf(sent, 1)
    assert.isBelow(sent[0]!.length, 1200)
    assert.deepEqual(
      readRecords(sent[0]!).map(({ fragment }) => fragment[0]),
      [2, 11, 12, 13, 14]
    )
    for (let count = 0; count < 100; count++) dtls.take(datagram)
    assert.isBelow(sent.length, 30)
    assert.deepEqual(sent[1], sent[0])
  })

  it("reads any datagram, and connects nobody by it", () => {
    for (let seed = 1; seed <= seeds(1000, 50_000); seed++) {
      const random = randomOf(seed)
      const { dtls } = server()
      for (let count = 0; count < 5; count++) {
        const message = handshakeBytes(
          random.pick([1, 11, 15, 16, 20, random.below(256)]),
          random.below(4),
          random.pick([hello, random.bytes(random.below(200))])
        )
        const changed = Buffer.from(message)
        if (random.below(2) === 0) changed[random.below(changed.length)] = random.below(256)
        const record = plainRecord(random.pick([20, 21, 22, 22, 22]), count, changed)
        if (random.below(4) === 0) record[4] = 1
        try {
          dtls.take(random.pick([record, random.bytes(random.below(100))]))
        } catch (error) {
          assert.instanceOf(error, Malformed)
        }
      }
    }
  })
})
