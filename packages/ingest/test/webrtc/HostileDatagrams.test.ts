import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { readFileSync } from "node:fs"
import type { PeerEnd } from "../../src/webrtc/Peer.ts"
import { numberBytes } from "../../src/webrtc/bytes/ByteReader.ts"
import { readOffer } from "../../src/webrtc/sdp/Offer.ts"
import { attribute, bindingRequest, magicCookie } from "../../src/webrtc/stun/StunFormat.ts"
import { integrityOf } from "../../src/webrtc/stun/StunRequest.ts"
import { listenWebRtc } from "../../src/webrtc/WebRtcServer.ts"
import { until } from "../support/Eventually.ts"
import { randomOf, seeds } from "../support/Random.ts"

const offer = readOffer(readFileSync(new URL("./fixtures/obs.sdp", import.meta.url), "utf8"))
const times = { keyframeInterval: 2000, connectTime: 3000, idleTime: 3000 }

const attributeBytes = (type: number, value: Buffer): Buffer =>
  Buffer.concat([numberBytes(type, 2), numberBytes(value.length, 2), value, Buffer.alloc((4 - (value.length % 4)) % 4)])

/** A check of connectivity as a peer sends it. */
const check = (fragment: string, password: string): Buffer => {
  const body = attributeBytes(attribute.username, Buffer.from(`${fragment}:peer`))
  const head = Buffer.concat([
    numberBytes(bindingRequest, 2),
    numberBytes(body.length + 24, 2),
    numberBytes(magicCookie, 4)
  ])
  const open = Buffer.concat([head, Buffer.alloc(12, 1), body])
  return Buffer.concat([open, attributeBytes(attribute.messageIntegrity, integrityOf(open, open.length, password))])
}

const peer = Effect.acquireRelease(
  Effect.callback<{ readonly socket: Socket; readonly heard: Array<Buffer> }>((resume) => {
    const socket = createSocket("udp4")
    const heard: Array<Buffer> = []
    socket.on("message", (bytes) => void heard.push(bytes))
    socket.bind(0, "127.0.0.1", () => resume(Effect.succeed({ socket, heard })))
  }),
  ({ socket }) => Effect.callback<void>((done) => void socket.close(() => done(Effect.void)))
)

const session = Effect.gen(function* () {
  const server = yield* listenWebRtc({ host: "127.0.0.1", port: 0, addresses: (bound) => [bound] })
  const ends: Array<PeerEnd> = []
  const nothing = () => assert.fail("media without a connection")
  const { answer, end } = server.accept(offer, times, {
    begin: nothing,
    frame: nothing,
    ended: (it) => void ends.push(it)
  })
  const [fragment, password] = ["ufrag", "pwd"].map((name) => new RegExp(`a=ice-${name}:(\\S+)`).exec(answer)![1]!)
  return { port: server.port, fragment: fragment!, password: password!, ends, end }
})

describe("datagrams of anybody", () => {
  it.live("are answered for who knows the password of a session alone", () =>
    Effect.gen(function* () {
      const { fragment, password, port } = yield* session
      const { heard, socket } = yield* peer
      const say = (bytes: Buffer) => socket.send(bytes, port, "127.0.0.1")
      say(check(fragment, "wrong"))
      say(check("nobody", password))
      say(Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
      for (let seed = 1; seed <= seeds(500, 20_000); seed++) say(randomOf(seed).bytes(randomOf(seed).below(300)))
      // The kernel drops what a busy listener has not read: peers repeat their checks.
      let checks = 0
      yield* until("an answer", () => {
        if (heard.length > 0) return true
        say(check(fragment, password))
        checks += 1
        return false
      })
      assert.isAtMost(heard.length, checks)
      for (const answer of heard) assert.strictEqual(answer.readUInt16BE(0), 0x0101)
    })
  )

  it.live("end the session of a peer that sends no handshake, and one that sends nothing has its time", () =>
    Effect.gen(function* () {
      const { ends, fragment, password, port } = yield* session
      const { heard, socket } = yield* peer
      socket.send(check(fragment, password), port, "127.0.0.1")
      yield* until("an answer", () => heard.length > 0)
      socket.send(Buffer.from([22, 1, 2, 3]), port, "127.0.0.1")
      yield* until("an end", () => ends.length > 0)
      assert.strictEqual(ends[0]!.end, "malformed")

      const silent = yield* session
      yield* until("the end of its time", () => silent.ends.length > 0)
      assert.deepEqual(silent.ends, [{ end: "lost", detail: "no media in time" }])
      silent.end({ end: "closed", detail: "again" })
      assert.lengthOf(silent.ends, 1)
    })
  )

  it.live("find nobody when the listener has closed, which ends its sessions", () =>
    Effect.gen(function* () {
      const { ends } = yield* Effect.scoped(session)
      assert.deepEqual(ends, [{ end: "lost", detail: "the listener closed" }])
    })
  )
})
