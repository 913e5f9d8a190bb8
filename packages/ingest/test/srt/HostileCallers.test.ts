import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { createCipheriv, pbkdf2Sync } from "node:crypto"
import { type Extension, extensionType, type Handshake, handshakeType } from "../../src/srt/Handshake.ts"
import { openKeyMaterial } from "../../src/srt/KeyMaterial.ts"
import { rejection } from "../../src/srt/Rejection.ts"
import type { SrtOptions } from "../../src/srt/SrtServer.ts"
import { controlBytes, controlType } from "../../src/srt/SrtPacket.ts"
import { until } from "../support/Eventually.ts"
import { randomOf, seeds } from "../support/Random.ts"
import { dataPacket, handshakePacket, request, srtCaller, streamId, textContent } from "../support/SrtCaller.ts"
import { bytesOf, listeningSrt, srtRecorder } from "../support/SrtRecorder.ts"

const listening = Effect.fnUntraced(function* (options: Partial<SrtOptions> = {}) {
  const { handlers, recordings } = srtRecorder()
  return { recordings, port: yield* listeningSrt(handlers, options) }
})

const shutdown = (socketId: number) => controlBytes({ type: controlType.shutdown, time: 0, socketId })

/** A keying material message with keys of zeros. */
const keyMaterial = (passphrase: string, which = 1): Buffer => {
  const salt = Buffer.alloc(16, 7)
  const wrapping = pbkdf2Sync(passphrase, salt.subarray(8), 2_048, 16, "sha1")
  const cipher = createCipheriv("id-aes128-wrap", wrapping, Buffer.alloc(8, 0xa6))
  const wrapped = Buffer.concat([cipher.update(Buffer.alloc(which === 3 ? 32 : 16)), cipher.final()])
  const head = Buffer.from("122029000000000002000200000004ff", "hex")
  head[3] = which
  head[15] = 4
  return Buffer.concat([head, salt, wrapped])
}

describe("callers of SRT", () => {
  it.live("get a cookie, nothing longer than what they sent, and keep nothing", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening()
      const caller = yield* srtCaller(port)
      const answer = yield* caller.induce
      assert.deepInclude(answer, { version: 5, extensionField: 0x4a_17, type: 1, encryption: 0 })
      assert.strictEqual(caller.received[0]!.length, handshakePacket().length)
      // Too short for a handshake, and answers to nothing.
      caller.send(handshakePacket().subarray(0, 63))
      caller.send(handshakePacket({ type: handshakeType.conclusion, version: 5, cookie: (answer.cookie ^ 1) >>> 0 }))
      caller.send(dataPacket(99, 7_000, Buffer.alloc(188)))
      caller.send(shutdown(99))
      yield* caller.publish("KEY")
      assert.strictEqual(caller.handshakes().length, 3)
      assert.strictEqual(recordings.length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("are answered again when they ask again, and publish", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening()
      const caller = yield* srtCaller(port)
      const { cookie } = yield* caller.induce
      const asked = {
        version: 5,
        cookie,
        type: handshakeType.conclusion,
        extensions: [request(3_000), streamId("KEY")]
      }
      const first = yield* caller.ask(asked)
      assert.deepStrictEqual(yield* caller.ask(asked), first)
      assert.deepInclude(first, { version: 5, type: handshakeType.conclusion, sequence: 7_000, extensionField: 1 })
      const [response] = first.extensions
      assert.strictEqual(response?.type, extensionType.response)
      assert.deepStrictEqual([response.content.readUInt16BE(8), response.content.readUInt16BE(10)], [3_000, 3_000])
      const [recording] = recordings
      assert.strictEqual(recordings.length, 1)
      caller.send(dataPacket(first.socketId, 7_001, Buffer.from("two")))
      caller.send(dataPacket(first.socketId, 7_000, Buffer.from("one ")))
      yield* until("both", () => bytesOf(recording!).toString() === "one two")
      // Whoever does not send from the same address is not heard.
      const other = yield* srtCaller(port)
      other.send(dataPacket(first.socketId, 7_002, Buffer.from("no")))
      other.send(shutdown(first.socketId))
      caller.send(dataPacket(first.socketId, 7_002, Buffer.from(" three")))
      yield* until("the third", () => bytesOf(recording!).toString() === "one two three")
      caller.send(shutdown(first.socketId))
      assert.strictEqual(yield* Deferred.await(recording!.ended), "closed")
      assert.strictEqual(Redacted.value(recording!.request.key), "KEY")
    }).pipe(Effect.scoped)
  )

  const key = streamId("KEY")
  const extension = (type: number, content: Buffer = Buffer.alloc(4)): Extension => ({ type, content })
  const cases: ReadonlyArray<
    readonly [what: string, code: number, extensions: ReadonlyArray<Extension>, fields?: Partial<Handshake>]
  > = [
    ["an old version of the handshake", rejection.version, [request(), key], { version: 4 }],
    ["an old version of SRT", rejection.version, [request(120, 0x3f, 0x01_02_00), key]],
    ["no request", rejection.rogue, [key]],
    ["a short request", rejection.rogue, [extension(extensionType.request), key]],
    ["no socket id", rejection.rogue, [request(), key], { socketId: 0 }],
    ["a stream of bytes", rejection.messageApi, [request(120, 0x7f), key]],
    ["the control of files", rejection.congestion, [request(), key, extension(6, textContent("file"))]],
    ["a packet filter", rejection.filter, [request(), key, extension(7, textContent("fec"))]],
    ["a group", rejection.group, [request(), key, extension(8, Buffer.alloc(8))]],
    ["no stream id", rejection.badRequest, [request()]],
    ["a long stream id", rejection.badRequest, [request(), streamId("x".repeat(513))]],
    ["a wrong key", rejection.unauthorized, [request(), streamId("wrong")]],
    ["keys, where there is no passphrase", rejection.unsecure, [request(), key, extension(3, keyMaterial("x"))]]
  ]
  it.live("read why they are rejected", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening({ limits: { handshakesPerAddress: 100 } })
      const caller = yield* srtCaller(port)
      for (const [index, [what, code, extensions, fields]] of cases.entries()) {
        const answer = yield* caller.conclude(extensions, { socketId: 100 + index, ...fields })
        assert.strictEqual(answer.type, code, what)
      }
      assert.strictEqual(recordings.length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("need the passphrase", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening({ passphrase: "right passphrase" })
      const caller = yield* srtCaller(port)
      const odd = keyMaterial("right passphrase")
      odd[8] = 4
      for (const [index, [content, code]] of (
        [
          [undefined, rejection.unsecure],
          [keyMaterial("wrong passphrase"), rejection.badSecret],
          [odd, rejection.cipher],
          [Buffer.alloc(40), rejection.cipher]
        ] as const
      ).entries()) {
        const keys = content === undefined ? [] : [{ type: extensionType.keyRequest, content }]
        const answer = yield* caller.conclude([request(), key, ...keys], { socketId: 100 + index })
        assert.strictEqual(answer.type, code)
      }
      const content = keyMaterial("right passphrase", 3)
      const answer = yield* caller.conclude([request(), key, { type: extensionType.keyRequest, content }])
      assert.strictEqual(answer.type, handshakeType.conclusion)
      assert.deepStrictEqual(answer.extensions[1], { type: extensionType.keyResponse, content })
      // What is not encrypted, or with a key that does not exist, is dropped.
      caller.send(dataPacket(answer.socketId, 7_000, Buffer.from("open"), 0))
      caller.send(dataPacket(answer.socketId, 7_000, Buffer.from("none"), 3))
      caller.send(dataPacket(answer.socketId, 7_000, Buffer.from("some"), 2))
      yield* until("bytes", () => recordings[0]!.pieces.length > 0)
      assert.notInclude(["open", "none", "some"], bytesOf(recordings[0]!).toString())
      assert.strictEqual(bytesOf(recordings[0]!).length, 4)
    }).pipe(Effect.scoped)
  )

  it.live("find no place when there are too many of them", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening({ limits: { handshakesPerAddress: 2, connectionsPerAddress: 2 } })
      const caller = yield* srtCaller(port)
      const ask = (socketId: number, name: string) =>
        Effect.map(caller.conclude([request(), streamId(name)], { socketId }), ({ type }) => type)
      assert.strictEqual(yield* ask(1, "wrong"), rejection.unauthorized)
      assert.strictEqual(yield* ask(2, "wrong"), rejection.unauthorized)
      // Until a second has passed since.
      assert.strictEqual(yield* ask(3, "one"), rejection.backlog)
      let tried = 3
      const admitted = (name: string) =>
        Effect.gen(function* () {
          for (;;) if ((yield* ask(++tried, name)) === handshakeType.conclusion) return
        })
      yield* admitted("one")
      yield* admitted("two")
      assert.strictEqual(yield* ask(++tried, "three"), rejection.resource)
      assert.strictEqual(recordings.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("harm nobody else, whatever they send", () =>
    Effect.gen(function* () {
      const { port, recordings } = yield* listening()
      const other = yield* srtCaller(port)
      const socketId = yield* other.publish("other")
      const caller = yield* srtCaller(port)
      const { cookie } = yield* caller.induce
      const real = handshakePacket({
        ...{ version: 5, cookie, type: handshakeType.conclusion },
        extensions: [request(), key, { type: extensionType.keyRequest, content: keyMaterial("x") }]
      })
      const tries = seeds(2_000, 20_000)
      for (let seed = 0; seed < tries; seed++) {
        const random = randomOf(seed)
        const bytes = random.below(4) === 0 ? random.bytes(random.below(200)) : Buffer.from(real)
        for (let count = 1 + random.below(4); count > 0 && bytes.length > 0; count--) {
          bytes[random.below(bytes.length)] = random.below(256)
        }
        if (bytes.length >= 16 && random.below(3) === 0) bytes.writeUInt32BE(socketId, 12)
        caller.send(bytes)
        if (seed % 20 !== 19) continue
        const place = (seed - 19) / 20
        other.send(dataPacket(socketId, 7_000 + place, Buffer.from("."), 0))
        const have = place + 1
        yield* until(
          "the packet of the other",
          () => bytesOf(recordings.find(({ key: it }) => it === "other")!).length === have
        )
      }
    }).pipe(Effect.scoped)
  )
})

describe("keying material", () => {
  it.effect("survives any bytes", () =>
    Effect.gen(function* () {
      const real = keyMaterial("a passphrase", 3)
      assert.isObject(yield* Effect.promise(() => openKeyMaterial(real, "a passphrase")))
      for (let seed = 0; seed < seeds(200, 5_000); seed++) {
        const random = randomOf(seed)
        const bytes = random.below(4) === 0 ? random.bytes(random.below(100)) : Buffer.from(real)
        if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256)
        const opened = yield* Effect.promise(() => openKeyMaterial(bytes, "a passphrase"))
        assert.include(["object", "string"], typeof opened)
      }
    })
  )
})
