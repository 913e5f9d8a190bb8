import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { Malformed } from "../../src/webrtc/bytes/Malformed.ts"
import { writeAnswer } from "../../src/webrtc/sdp/Answer.ts"
import { OfferRefused, readOffer } from "../../src/webrtc/sdp/Offer.ts"
import { readDescription } from "../../src/webrtc/sdp/SessionDescription.ts"
import { randomOf, seeds } from "../support/Random.ts"

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.sdp`, import.meta.url), "utf8")
const chromium = fixture("chromium")
const obs = fixture("obs")

const local = {
  id: 1,
  fragment: "ours",
  password: "secret",
  fingerprint: "AA:BB",
  addresses: ["192.0.2.1", "2001:db8::1"],
  port: 1937
}

const refusal = (text: string): string => {
  try {
    readOffer(text)
    return "taken"
  } catch (error) {
    assert.instanceOf(error, error instanceof Malformed ? Malformed : OfferRefused)
    return (error as Error).message
  }
}

describe("offers", () => {
  it("of Chromium are answered with constrained baseline in mode 1, its repetitions, and Opus", () => {
    const offer = readOffer(chromium)
    assert.deepInclude(offer.video, {
      payloadType: 108,
      repeatType: 109,
      parameters: "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e033"
    })
    assert.strictEqual(offer.audio?.payloadType, 111)
    const answer = writeAnswer(offer, local)
    for (const line of [
      "a=ice-lite",
      "a=group:BUNDLE 0 1",
      "m=audio 9 UDP/TLS/RTP/SAVPF 111",
      "m=video 9 UDP/TLS/RTP/SAVPF 108 109",
      "a=rtcp-fb:108 nack",
      "a=rtcp-fb:108 nack pli",
      "a=rtcp-fb:108 transport-cc",
      "a=setup:passive",
      "a=candidate:1 1 udp 2130706431 192.0.2.1 1937 typ host",
      "a=candidate:2 1 udp 2130706175 2001:db8::1 1937 typ host"
    ]) {
      assert.include(answer.split("\r\n"), line)
    }
    assert.notInclude(answer, "goog-remb")
    assert.lengthOf(readDescription(answer).media, 2)
  })

  it("of OBS are answered with what it has, and nothing else", () => {
    const offer = readOffer(obs)
    assert.deepInclude(offer.video, { payloadType: 96, repeatType: undefined })
    assert.isUndefined(offer.transportId)
    const answer = writeAnswer(offer, local)
    assert.notInclude(answer, "transport")
    assert.notInclude(answer, "rtx")
    assert.strictEqual(offer.fingerprint.hash, "sha256")
  })

  it("answer media that are not taken as inactive, in their places", () => {
    const data = "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\na=mid:2\n"
    const { media } = readDescription(writeAnswer(readOffer(obs + data), local))
    assert.deepEqual(
      media.map(({ kind, port }) => [kind, port]),
      [
        ["audio", 9],
        ["video", 9],
        ["application", 0]
      ]
    )
  })

  it("are refused in words", () => {
    assert.strictEqual(refusal(obs.replace("H264", "VP8")), "The video has to be offered as H.264")
    assert.strictEqual(refusal(obs.replace("opus", "pcmu")), "The sound has to be offered as Opus")
    assert.strictEqual(refusal(obs.replaceAll("sendonly", "recvonly")), "The offer sends neither video nor sound")
    assert.strictEqual(refusal(obs.replace("BUNDLE 0 1", "BUNDLE 0")), "All media have to share a connection (BUNDLE)")
    assert.match(refusal(obs.replaceAll("a=rtcp-mux\n", "")), /share a port/)
    assert.strictEqual(refusal(obs.replace("actpass", "passive")), "The publisher has to open the connection")
    assert.match(refusal(obs.replace("sha-256", "sha-1")), /no fingerprint/)
    assert.match(refusal(obs.replaceAll("a=mid:1\n", "")), /without a name/)
    for (const text of ["", "v=0", "v=1\n", "x", "v=0\nm=audio\n", `v=0\n${"m=a 1 b c\n".repeat(17)}`]) {
      assert.notStrictEqual(refusal(text), "taken")
    }
    assert.match(refusal(`v=0\n${"a=x\n".repeat(3000)}`), /too many lines/)
    assert.match(refusal(`v=0\na=${"x".repeat(70_000)}\n`), /too long/)
  })

  it("that were changed are taken or refused, and their answers can be read", () => {
    for (let seed = 1; seed <= seeds(1500, 50_000); seed++) {
      const random = randomOf(seed)
      let text = random.pick([chromium, obs])
      for (let count = 1 + random.below(5); count > 0; count--) {
        const at = random.below(text.length)
        const insert = random.pick(["", "\n", " ", "0", "a=", "m=", random.bytes(3).toString("latin1")])
        text = text.slice(0, at) + insert + text.slice(at + random.below(6))
      }
      try {
        readDescription(writeAnswer(readOffer(text), local))
      } catch (error) {
        if (!(error instanceof OfferRefused)) assert.instanceOf(error, Malformed)
      }
    }
  })
})
