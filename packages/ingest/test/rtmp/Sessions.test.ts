import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { PublishRefused } from "../../src/Publisher.ts"
import { encodeChunks } from "../../src/rtmp/ChunkWriter.ts"
import { messageType, setChunkSize, userControl, userEvent, windowSize } from "../../src/rtmp/Messages.ts"
import { until } from "../support/Eventually.ts"
import { frame, hello, largeChunks, mediaBytes, rawClient } from "../support/RawClient.ts"
import { listening, recorder } from "../support/Recorder.ts"

/** A publisher whose first frame has arrived. */
const published = Effect.fnUntraced(function* (
  write?: Parameters<typeof recorder>[0],
  options: Parameters<typeof listening>[1] = {}
) {
  const { handlers, recordings } = recorder(write)
  const port = yield* listening(handlers, options)
  const client = yield* rawClient(port)
  yield* client.publish("key?token=1")
  client.send(largeChunks)
  client.send(frame(0))
  yield* until("the first frame", () => recordings[0]?.tags.length === 1)
  return { port, client, recording: recordings[0]!, recordings }
})

describe("sessions", () => {
  it.live("tell their handler how they ended", () =>
    Effect.gen(function* () {
      for (const [how, end] of [
        [["FCUnpublish", 5, null, "key"], "closed"],
        [["deleteStream", 5, null, 1], "closed"],
        [undefined, "lost"]
      ] as const) {
        const { client, recording } = yield* published()
        if (how === undefined) client.socket.resetAndDestroy()
        else client.command(...how)
        assert.strictEqual(yield* Deferred.await(recording.ended), end)
        yield* client.closed
        assert.strictEqual(client.hasStatus("NetStream.Unpublish.Success"), end === "closed")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("end when no media arrives, whatever else does", () =>
    Effect.gen(function* () {
      const { client, recording } = yield* published()
      yield* TestClock.adjust("20 seconds")
      client.send(frame(40))
      yield* until("the second frame", () => recording.tags.length === 2)
      yield* TestClock.adjust("20 seconds")
      client.send(encodeChunks(userControl(userEvent.pingRequest, 77)))
      yield* until("a pong", () => client.received.some(({ payload, type }) => type === 4 && payload[1] === 7))
      assert.isFalse(yield* Deferred.isDone(recording.ended))
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(yield* Deferred.await(recording.ended), "idle")
      yield* until("a status", () => client.hasStatus("NetStream.Publish.Idle"))
    }).pipe(Effect.scoped)
  )

  it.effect("end when the command to publish does not come in time", () =>
    Effect.gen(function* () {
      const { handlers } = recorder()
      const port = yield* listening(handlers)
      const silent = yield* rawClient(port)
      const slow = yield* rawClient(port)
      slow.send(hello.subarray(0, 1_000))
      const connected = yield* rawClient(port)
      yield* connected.handshake
      connected.command("connect", 1, { app: "live" })
      yield* until("the connection", () => connected.commands.length === 1)
      yield* TestClock.adjust("9 seconds")
      for (const client of [silent, slow, connected]) assert.isFalse(client.isClosed())
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.adjust("2 seconds")
      for (const client of [silent, slow, connected]) yield* client.closed
    }).pipe(Effect.scoped)
  )

  it.live("end with the reason of our side", () =>
    Effect.gen(function* () {
      const stopped = yield* published()
      yield* Deferred.succeed(stopped.recording.stop, "The live is over.")
      yield* stopped.client.closed
      assert.isTrue(stopped.client.hasStatus("NetStream.Publish.Denied"))
      assert.include(JSON.stringify(stopped.client.commands), "The live is over.")
      assert.strictEqual(yield* Deferred.await(stopped.recording.ended), "closed")

      const full = yield* published(({ tags }) =>
        tags.length > 1 ? Effect.fail(new PublishRefused({ reason: "The quota is used up." })) : Effect.void
      )
      full.client.send(frame(40))
      yield* full.client.closed
      assert.include(JSON.stringify(full.client.commands), "The quota is used up.")
      assert.strictEqual(yield* Deferred.await(full.recording.ended), "closed")
    }).pipe(Effect.scoped)
  )

  it.live("refuse several tracks with a clear status", () =>
    Effect.gen(function* () {
      const { client, recording } = yield* published()
      client.send(mediaBytes(messageType.video, 40, Buffer.from([0x96, 0x01, 0x68, 0x76, 0x63, 0x31, 0])))
      yield* client.closed
      assert.isTrue(client.hasStatus("NetStream.Publish.Rejected"))
      assert.include(JSON.stringify(client.commands), "multitrack")
      assert.strictEqual(yield* Deferred.await(recording.ended), "malformed")
    }).pipe(Effect.scoped)
  )

  it.live("refuse codecs that nothing reads, with what to send instead", () =>
    Effect.gen(function* () {
      const cases = [
        [
          messageType.audio,
          [0x90, ...Buffer.from("Opus"), ...Buffer.from("OpusHead")],
          "Opus is not supported over RTMP. Send AAC."
        ],
        [messageType.audio, [0x91, ...Buffer.from("fLaC"), 1], "FLAC is not supported"],
        [messageType.audio, [0x91, ...Buffer.from("ac-3"), 1], "AC-3 is not supported"],
        [messageType.audio, [0xb0, 1, 2], "Speex is not supported"],
        [messageType.video, [0x91, ...Buffer.from("vvc1"), 0, 0, 0, 1], "VVC is not supported over RTMP. Send H.264"],
        [messageType.video, [0x1c, 1, 0, 0, 0, 1], "HEVC is not supported without Enhanced RTMP"]
      ] as const
      for (const [type, bytes, reason] of cases) {
        const { client, recording } = yield* published()
        client.send(mediaBytes(type, 40, Buffer.from(bytes)))
        yield* client.closed
        assert.isTrue(client.hasStatus("NetStream.Publish.Rejected"))
        assert.include(JSON.stringify(client.commands), reason)
        assert.strictEqual(yield* Deferred.await(recording.ended), "malformed")
        assert.lengthOf(recording.tags, 1)
      }
    }).pipe(Effect.scoped)
  )

  it.live("pass a change of codec on, and scripts without their wrapping", () =>
    Effect.gen(function* () {
      const { client, recording } = yield* published()
      const script = Buffer.from("02000d40736574446174614672616d6502000a6f6e4d6574614461746105", "hex")
      client.send(mediaBytes(messageType.data, 40, script))
      client.send(mediaBytes(messageType.data, 40, Buffer.from([0x02, 0xff])))
      client.send(mediaBytes(messageType.video, 40, Buffer.from([0x90, ...Buffer.from("hvc1"), 1])))
      client.send(mediaBytes(messageType.video, 80, Buffer.from([0x93, ...Buffer.from("hvc1"), 1])))
      client.send(mediaBytes(messageType.audio, 80, Buffer.from([0x90, ...Buffer.from("mp4a"), 1])))
      client.send(mediaBytes(messageType.audio, 80, Buffer.alloc(0)))
      client.send(frame(120))
      yield* until("all tags", () => recording.tags.length === 6)
      assert.deepStrictEqual(
        recording.tags.map((tag) => (tag.kind === "script" ? tag.kind : tag.codec)),
        ["avc", "script", "hevc", "hevc", "aac", "avc"]
      )
      assert.strictEqual(Buffer.from(recording.tags[1]!.payload).toString("latin1", 3, 13), "onMetaData")
    }).pipe(Effect.scoped)
  )

  it.live("go on in chunks of any size", () =>
    Effect.gen(function* () {
      const { client, recording } = yield* published()
      let before = 65_536
      for (const size of [1, 127, 4_096, 1024 * 1024]) {
        const payload = Buffer.concat([Buffer.from([0x27, 1, 0, 0, 0]), Buffer.alloc(9_000)])
        client.send(encodeChunks(setChunkSize(size), before))
        client.send(mediaBytes(messageType.video, size, payload, size))
        before = size
      }
      yield* until("all frames", () => recording.tags.length === 5)
      assert.isTrue(recording.tags.slice(1).every(({ payload }) => payload.length === 9_005))
    }).pipe(Effect.scoped)
  )

  it.live("acknowledge what they receive", () =>
    Effect.gen(function* () {
      const { client } = yield* published()
      client.send(encodeChunks(windowSize(1)))
      for (let count = 0; count < 40; count++) client.send(frame(count, 1_000))
      yield* until("an acknowledgement", () => client.received.some(({ type }) => type === messageType.acknowledgement))
    }).pipe(Effect.scoped)
  )

  it.live("are limited by address, until one ends", () =>
    Effect.gen(function* () {
      const { client, port } = yield* published(undefined, { limits: { connectionsPerAddress: 2 } })
      const second = yield* rawClient(port)
      yield* second.handshake
      const third = yield* rawClient(port)
      yield* third.closed
      client.socket.destroy()
      yield* until("a free slot", () => client.isClosed())
      let admitted = false
      while (!admitted) {
        const next = yield* rawClient(port)
        yield* next.handshake
        admitted = !next.isClosed()
      }
      assert.isFalse(second.isClosed())
    }).pipe(Effect.scoped)
  )

  it.live("pause the socket while a tag is being written", () =>
    Effect.gen(function* () {
      const release = yield* Deferred.make<void>()
      const { client, recording } = yield* published(() => Deferred.await(release))
      const count = 1_000
      const one = frame(0, 65_000)
      const memory = process.memoryUsage().arrayBuffers
      for (let sent = 0; sent < count; sent++) client.send(one)
      const flushed = () => client.socket.bytesWritten - client.socket.writableLength
      let before = -1
      let unchanged = 0
      yield* until("the socket to pause", () => {
        unchanged = flushed() === before ? unchanged + 1 : 0
        before = flushed()
        return unchanged === 20
      })
      assert.strictEqual(recording.tags.length, 1)
      assert.isBelow(flushed(), (count * one.length) / 2)
      assert.isBelow(process.memoryUsage().arrayBuffers - memory, 8 * 1024 * 1024)
      yield* Deferred.succeed(release, undefined)
      yield* until("all frames", () => recording.tags.length === count + 1)
    }).pipe(Effect.scoped)
  )

  it.live("end with the scope of the listener", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers).pipe(Scope.provide(scope))
      const client = yield* rawClient(port)
      yield* client.publish("key")
      yield* Scope.close(scope, Exit.void)
      yield* client.closed
      assert.strictEqual(yield* Deferred.await(recordings[0]!.ended), "lost")
    }).pipe(Effect.scoped)
  )

  it.live("die alone, and log neither key nor silence", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${Cause.pretty(cause)}`))
      const { handlers, recordings } = recorder(({ key }) => (key === "SECRET" ? Effect.die("a defect") : Effect.void))
      const port = yield* listening(handlers).pipe(Effect.provideService(Logger.CurrentLoggers, new Set([logger])))
      const other = yield* rawClient(port)
      yield* other.publish("other")
      const client = yield* rawClient(port)
      yield* client.publish("SECRET")
      client.send(largeChunks)
      client.send(frame(0))
      yield* client.closed
      assert.strictEqual(yield* Deferred.await(recordings[1]!.ended), "lost")
      other.send(largeChunks)
      other.send(frame(0))
      yield* until("a frame of the other", () => recordings[0]!.tags.length === 1)
      assert.isTrue(lines.some((line) => line.includes("died")))
      assert.notInclude(lines.join("\n"), "SECRET")
    }).pipe(Effect.scoped)
  )
})
