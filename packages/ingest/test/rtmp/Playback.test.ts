import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { FlvTag } from "../../src/flv/FlvTag.ts"
import { PublishRefused } from "../../src/Publisher.ts"
import { encodeChunks } from "../../src/rtmp/ChunkWriter.ts"
import { acknowledgement, messageType } from "../../src/rtmp/Messages.ts"
import { until } from "../support/Eventually.ts"
import { rawClient } from "../support/RawClient.ts"
import { listening } from "../support/Recorder.ts"

const tagOf = (timestamp: number, size = 60_000): FlvTag => ({
  ...{ kind: "video", timestamp, codec: "avc", keyframe: true, sequenceHeader: false, enhanced: false },
  payload: Buffer.concat([Buffer.from([0x17, 1, 0, 0, 0]), Buffer.alloc(size)])
})

/** A player of a stream, after its command to play. */
const player = Effect.fnUntraced(function* (stream: Stream.Stream<FlvTag>) {
  const port = yield* listening({
    publish: () => Effect.fail(new PublishRefused({ reason: "Nobody may publish." })),
    play: () => Effect.succeed(stream)
  })
  const client = yield* rawClient(port)
  yield* client.handshake
  client.command("connect", 1, { app: "live" })
  client.command("createStream", 2, null)
  client.command("getStreamLength", 3, null, "key")
  client.command("play", 4, null, "key", -1000)
  return client
})

describe("playback", () => {
  it.live("sends tags with their times, and closes after the last", () =>
    Effect.gen(function* () {
      const times = [0, 40, 0xff_ff_ff, 0xff_ff_ff_ff, 0x1_00_00_00_10]
      const client = yield* player(Stream.fromIterable(times.map((time) => tagOf(time, 200_000))))
      yield* client.closed
      const video = client.received.filter(({ type }) => type === messageType.video)
      assert.deepStrictEqual(
        video.map(({ payload, timestamp }) => [timestamp, payload.length]),
        times.map((time) => [time >>> 0, 200_005])
      )
      assert.isTrue(client.hasStatus("NetStream.Play.Start") && client.hasStatus("NetStream.Play.Stop"))
    }).pipe(Effect.scoped)
  )

  it.effect("takes no more tags than the player does, and ends when it takes none", () =>
    Effect.gen(function* () {
      let taken = 0
      const one = tagOf(0)
      const endless = Stream.fromEffectRepeat(
        Effect.sync(() => {
          taken++
          return one
        })
      )
      const client = yield* player(endless)
      yield* until("the playback", () => client.hasStatus("NetStream.Play.Start"))
      client.socket.pause()
      let before = -1
      let unchanged = 0
      yield* until("the stream to pause", () => {
        unchanged = taken === before ? unchanged + 1 : 0
        before = taken
        return unchanged === 20
      })
      assert.isBelow(taken, 1_000)
      client.socket.resume()
      yield* until("more", () => taken > before + 100)
      client.socket.pause()
      unchanged = 0
      yield* until("the stream to pause again", () => {
        unchanged = taken === before ? unchanged + 1 : 0
        before = taken
        return unchanged === 20
      })
      yield* TestClock.adjust("31 seconds")
      yield* TestClock.adjust("3 seconds")
      client.socket.resume()
      yield* client.closed
    }).pipe(Effect.scoped)
  )

  it.live("lets players acknowledge for ever", () =>
    Effect.gen(function* () {
      const client = yield* player(Stream.never)
      yield* until("the playback", () => client.hasStatus("NetStream.Play.Start"))
      const one = encodeChunks(acknowledgement(1))
      for (let count = 0; count < 30_000; count++) client.send(one)
      client.send(
        encodeChunks({
          type: messageType.userControl,
          streamId: 0,
          timestamp: 0,
          payload: Buffer.from([0, 6, 0, 0, 0, 9])
        })
      )
      yield* until("a pong", () =>
        client.received.some(({ payload, type }) => type === messageType.userControl && payload[1] === 7)
      )
      assert.isFalse(client.isClosed())
    }).pipe(Effect.scoped)
  )
})
