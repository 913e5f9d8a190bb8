import { assert, describe, it } from "@effect/vitest"
import { createCipheriv, createHmac } from "node:crypto"
import { counterOf, sessionKeys } from "../../src/webrtc/srtp/SessionKeys.ts"
import { SrtcpReceiver, SrtcpSender } from "../../src/webrtc/srtp/Srtcp.ts"
import { SrtpReceiver } from "../../src/webrtc/srtp/SrtpReceiver.ts"
import { randomOf, seeds } from "../support/Random.ts"
import { rtp, rtpBytes } from "../support/Rtp.ts"

const master = {
  key: Buffer.from("E1F97A0D3E018BE0D64FA32C06DE4139", "hex"),
  salt: Buffer.from("0EC675AD498AFEEBB6960B3AABE6", "hex")
}

const keys = sessionKeys(master, "srtp")

/** Seals a packet as a sender does (RFC 3711, 3.1): the index continues its number. */
const sealed = (packet: Buffer, index: number): Buffer => {
  const counter = counterOf(keys.salt, packet.readUInt32BE(8), index)
  const cipher = createCipheriv("aes-128-ctr", keys.cipher, counter)
  const covered = Buffer.concat([packet.subarray(0, 12), cipher.update(packet.subarray(12))])
  const turns = Buffer.alloc(4)
  turns.writeUInt32BE(Math.floor(index / 65_536))
  const mac = createHmac("sha1", keys.authentication).update(covered).update(turns).digest()
  return Buffer.concat([covered, mac.subarray(0, 10)])
}

const packetOf = (index: number, ssrc = 7): Buffer =>
  rtpBytes(rtp({ sequence: index % 65_536, ssrc, payload: Buffer.from(`packet ${index}`) }))

describe("SRTP", () => {
  it("derives the keys of RFC 3711, B.3", () => {
    const { authentication, cipher, salt } = sessionKeys(master, "srtp")
    assert.deepEqual(
      [cipher, salt, authentication].map((key) => key.toString("hex").toUpperCase()),
      ["C61E7A93744F39EE10734AFE3FF7A087", "30CBBC08863D8C85D49DB34A9AE1", "CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"]
    )
  })

  it("opens packets in any order, beyond where their numbers wrap around, each once", () => {
    for (let seed = 1; seed <= seeds(10, 300); seed++) {
      const random = randomOf(seed)
      const receiver = new SrtpReceiver(master)
      const arriving = Array.from({ length: 400 }, (_, step) => 65_300 + step)
        .map((index) => ({ index, at: index === 65_300 ? -1 : index + random.below(100) }))
        .toSorted((one, other) => one.at - other.at)
      for (const { index } of arriving) {
        const bytes = sealed(packetOf(index), index)
        assert.deepEqual(receiver.open(bytes), packetOf(index))
        assert.isUndefined(receiver.open(bytes))
      }
    }
  })

  it("refuses what was changed, is too short, or comes from one source too many", () => {
    for (let seed = 1; seed <= seeds(200, 10_000); seed++) {
      const random = randomOf(seed)
      const bytes = sealed(packetOf(seed), seed)
      bytes[random.below(bytes.length)]! ^= 1 + random.below(255)
      assert.isUndefined(new SrtpReceiver(master).open(bytes))
      assert.isUndefined(new SrtpReceiver(master).open(bytes.subarray(0, random.below(bytes.length))))
      assert.isUndefined(new SrtpReceiver(master).open(random.bytes(random.below(60))))
    }
    const receiver = new SrtpReceiver(master)
    const open = (ssrc: number) => receiver.open(sealed(packetOf(1, ssrc), 1))
    for (let ssrc = 0; ssrc < 16; ssrc++) assert.isDefined(open(ssrc))
    assert.isUndefined(open(16))
  })

  it("opens what its sender of SRTCP seals, each once, and nothing that was changed", () => {
    const sender = new SrtcpSender(master)
    const receiver = new SrtcpReceiver(master)
    for (let seed = 1; seed <= 200; seed++) {
      const random = randomOf(seed)
      const packet = random.bytes(8 + 4 * random.below(20))
      const bytes = sender.seal(packet)
      const changed = Buffer.from(bytes)
      changed[random.below(bytes.length)]! ^= 1 + random.below(255)
      assert.isUndefined(receiver.open(changed))
      assert.deepEqual(receiver.open(bytes), packet)
      assert.isUndefined(receiver.open(bytes))
      assert.isUndefined(receiver.open(random.bytes(random.below(40))))
    }
  })
})
