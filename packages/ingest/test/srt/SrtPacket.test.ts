import { assert, describe, it } from "@effect/vitest"
import {
  extensionText,
  extensionType,
  type Handshake,
  handshakeBody,
  handshakeType,
  readHandshake
} from "../../src/srt/Handshake.ts"
import { lossReport } from "../../src/srt/LossReport.ts"
import { controlBytes, controlType, readPacket } from "../../src/srt/SrtPacket.ts"
import { rejection } from "../../src/srt/Rejection.ts"
import { readConclusion } from "../../src/srt/Conclusion.ts"
import { streamKeyOf } from "../../src/srt/StreamId.ts"
import { SynCookie } from "../../src/srt/SynCookie.ts"
import { randomOf, seeds } from "../support/Random.ts"
import { handshakePacket, request, streamId, textContent } from "../support/SrtCaller.ts"

describe("packets of SRT", () => {
  it("are read as the draft has them", () => {
    const media = Buffer.from("7ffffffef400002a0000100000abcdef4711", "hex")
    assert.deepStrictEqual(readPacket(media), {
      ...{ kind: "data", socketId: 0xab_cd_ef, sequence: 0x7f_ff_ff_fe, key: 2 },
      payload: Buffer.from("4711", "hex")
    })
    const acknowledged = Buffer.from("80060000000000050000100000000009", "hex")
    assert.deepInclude(readPacket(acknowledged), { kind: "control", type: controlType.ackAck, info: 5, socketId: 9 })
    assert.isUndefined(readPacket(media.subarray(0, 15)))
    assert.isUndefined(readPacket(Buffer.alloc(16 + 1_457)))
  })

  it("are written as the draft has them", () => {
    const keepAlive = controlBytes({ type: controlType.keepAlive, time: 4_096, socketId: 9 })
    assert.strictEqual(keepAlive.toString("hex"), "8001000000000000000010000000000900000000")
    const later = controlBytes({ type: 0x7f_ff, subtype: 4, time: 2 ** 32 + 1, socketId: 9, body: Buffer.from([1]) })
    assert.strictEqual(later.toString("hex"), "ffff000400000000000000010000000901")
    const report = lossReport([
      { first: 3, last: 3 },
      { first: 0x7f_ff_ff_ff, last: 1 }
    ])
    assert.strictEqual(report.toString("hex"), "00000003ffffffff00000001")
  })

  it("hold handshakes, with their extensions", () => {
    const handshake: Handshake = {
      ...{ version: 5, encryption: 2, extensionField: 5, sequence: 77, mtu: 1_500, flowWindow: 8_192 },
      ...{ type: handshakeType.conclusion, socketId: 99, cookie: 0xff_00_ff_00 },
      extensions: [request(300), streamId("KEY-7")]
    }
    const body = handshakeBody(handshake, "192.0.2.1")
    assert.deepStrictEqual(readHandshake(body), handshake)
    assert.strictEqual(body.toString("hex", 32, 36), "010200c0")
    assert.strictEqual(extensionText(handshake.extensions[1]!.content), "KEY-7")
    assert.strictEqual(handshake.extensions[1]!.content.toString("latin1"), "-YEK\0\0\x007")
    assert.deepInclude(readConclusion(handshake) as object, {
      peer: 99,
      sequence: 77,
      streamKey: "KEY-7",
      latency: 300
    })
    // An extension that is longer than the packet.
    assert.isUndefined(readHandshake(body.subarray(0, -1)))
    assert.isUndefined(readHandshake(body.subarray(0, 47)))
  })

  it("name the stream in two forms", () => {
    for (const [text, key] of [
      ["3f0c-key", "3f0c-key"],
      ["#!::r=KEY,m=publish", "KEY"],
      ["#!::m=publish,u=someone,t=stream,r=K=E", "K=E"],
      ["#!::r=KEY", "KEY"],
      ["#!::r=KEY,m=request", rejection.badMode],
      ["#!::r=KEY,m=bidirectional", rejection.badMode],
      ["#!::r=KEY,t=file", rejection.badMode],
      ["#!::m=publish", rejection.badRequest],
      ["#!::", rejection.badRequest],
      ["", rejection.badRequest]
    ] as const) {
      assert.strictEqual(streamKeyOf(text), key, text)
    }
  })

  it("survive any bytes", () => {
    const real = handshakePacket({
      ...{ version: 5, type: handshakeType.conclusion },
      extensions: [request(), streamId("KEY"), { type: extensionType.congestion, content: textContent("live") }]
    })
    for (let seed = 0; seed < seeds(5_000, 200_000); seed++) {
      const random = randomOf(seed)
      const bytes = random.below(3) === 0 ? random.bytes(random.below(120)) : Buffer.from(real)
      for (let count = random.below(6); count > 0 && bytes.length > 0; count--) {
        bytes[random.below(bytes.length)] = random.below(256)
      }
      const packet = readPacket(bytes.subarray(0, random.pick([bytes.length, random.below(bytes.length + 1)])))
      const handshake = packet?.kind === "control" ? readHandshake(packet.body) : undefined
      if (handshake !== undefined) assert.isDefined(readConclusion(handshake))
    }
  })
})

describe("SynCookie", () => {
  it("belongs to an address, for half a minute at least and a minute at most", () => {
    const cookies = new SynCookie()
    const cookie = cookies.make("192.0.2.1", 4_000, 29_000)
    assert.isTrue(cookies.matches(cookie, "192.0.2.1", 4_000, 31_000))
    assert.isTrue(cookies.matches(cookie, "192.0.2.1", 4_000, 59_999))
    assert.isFalse(cookies.matches(cookie, "192.0.2.1", 4_000, 60_000))
    assert.isFalse(cookies.matches(cookie, "192.0.2.1", 4_001, 29_000))
    assert.isFalse(cookies.matches(cookie, "192.0.2.2", 4_000, 29_000))
    assert.isFalse(new SynCookie().matches(cookie, "192.0.2.1", 4_000, 29_000))
  })
})
