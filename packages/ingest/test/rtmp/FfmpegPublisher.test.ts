import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { flvFileHeader, flvTagBytes } from "../../src/flv/FlvWriter.ts"
import type { FlvTag, MediaTag } from "../../src/flv/FlvTag.ts"
import { until } from "../support/Eventually.ts"
import { ffmpeg, pictures } from "../support/Ffmpeg.ts"
import { largeChunks, mediaBytes, rawClient } from "../support/RawClient.ts"
import { listening, recorder } from "../support/Recorder.ts"
import { testCertificate } from "../support/TestCertificate.ts"

const mediaOf = (tags: ReadonlyArray<FlvTag>) => tags.filter((tag): tag is MediaTag => tag.kind !== "script")
const framesOf = (tags: ReadonlyArray<FlvTag>) =>
  mediaOf(tags).filter((tag) => tag.kind === "video" && !tag.sequenceHeader)

/** Hashes of the packets of each stream of an input, by ffmpeg. */
const hashes = Effect.fnUntraced(function* (address: string, input?: Uint8Array) {
  const output = ["-map", "0", "-c", "copy", "-f", "streamhash", "-hash", "md5", "-"]
  const run = yield* ffmpeg(["-i", address, ...output], input)
  assert.strictEqual(run.code, 0, run.log)
  return run.output.toString()
})

describe("ffmpeg", () => {
  it.live("publishes H.264 and AAC, in order and with their facts", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(2), `rtmp://127.0.0.1:${port}/live/KEY?token=x`])
      assert.strictEqual(run.code, 0, run.log)
      const [recording] = recordings
      assert.strictEqual(recording?.key, "KEY")
      assert.strictEqual(recording?.app, "live")
      assert.strictEqual(recording?.address, "127.0.0.1")
      assert.strictEqual(recording?.protocol, "rtmp")
      assert.strictEqual(yield* Deferred.await(recording!.ended), "closed")
      const media = mediaOf(recording!.tags)
      const video = framesOf(recording!.tags).filter(({ payload }) => payload[1] === 1)
      assert.strictEqual(video.length, 50)
      assert.deepStrictEqual([...new Set(media.map((tag) => tag.codec))].toSorted(), ["aac", "avc"])
      assert.strictEqual(video.filter((tag) => tag.keyframe).length, 2)
      assert.strictEqual(media.filter((tag) => tag.sequenceHeader).length, 2)
      assert.strictEqual(recording!.tags[0]?.kind, "script")
      assert.isAtLeast(video.at(-1)!.timestamp, 1_900)
    }).pipe(Effect.scoped)
  )

  it.live("plays what it published, and reads it as a file: the same packets", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(2), `rtmp://127.0.0.1:${port}/live/KEY`])
      assert.strictEqual(run.code, 0, run.log)
      const { tags } = recordings[0]!
      const file = Buffer.concat([flvFileHeader({ audio: true, video: true }), ...tags.map(flvTagBytes)])
      const written = yield* hashes("pipe:0", file)
      const played = yield* hashes(`rtmp://127.0.0.1:${port}/live/KEY`)
      assert.include(written, "MD5=")
      assert.strictEqual(played, written)
      const unknown = yield* ffmpeg(["-i", `rtmp://127.0.0.1:${port}/live/none`, "-f", "null", "-"])
      assert.notStrictEqual(unknown.code, 0)
      assert.include(unknown.log, "No live has this stream key.")
    }).pipe(Effect.scoped)
  )

  it.live("reads why it is refused", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(1), `rtmp://127.0.0.1:${port}/live/wrong`])
      assert.notStrictEqual(run.code, 0)
      assert.include(run.log, "No live has this stream key.")
      assert.strictEqual(recordings.length, 0)
    }).pipe(Effect.scoped)
  )

  for (const [name, codec, encoder] of [
    ["HEVC", "hevc", ["-c:v", "libx265", "-x265-params", "log-level=none", "-rtmp_enhanced_codecs", "hvc1"]],
    ["AV1", "av1", ["-c:v", "libsvtav1", "-preset", "12", "-rtmp_enhanced_codecs", "av01"]]
  ] as const) {
    it.live(`publishes ${name} by Enhanced RTMP, and plays it`, () =>
      Effect.gen(function* () {
        const { handlers, recordings } = recorder()
        const port = yield* listening(handlers)
        const args = pictures(1, encoder)
        if (codec === "av1") args.splice(args.indexOf("ultrafast") - 1, 2)
        const run = yield* ffmpeg([...args, `rtmp://127.0.0.1:${port}/live/KEY`])
        assert.strictEqual(run.code, 0, run.log)
        const video = mediaOf(recordings[0]!.tags).filter(({ kind }) => kind === "video")
        assert.isTrue(video.every((tag) => tag.codec === codec && tag.enhanced))
        assert.strictEqual(video.filter((tag) => tag.sequenceHeader).length, 1)
        assert.isAtLeast(video.filter((tag) => tag.keyframe).length, 1)
        const played = yield* ffmpeg(["-i", `rtmp://127.0.0.1:${port}/live/KEY`, "-f", "null", "-"])
        assert.strictEqual(played.code, 0, played.log)
        assert.include(played.log, `Video: ${codec}`)
      }).pipe(Effect.scoped)
    )
  }

  it.live("plays H.264 and AAC that were published in enhanced headers", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(1), `rtmp://127.0.0.1:${port}/live/classic`])
      assert.strictEqual(run.code, 0, run.log)
      const sent = mediaOf(recordings[0]!.tags).filter((tag) => tag.kind === "audio" || tag.payload[1] !== 2)
      const client = yield* rawClient(port)
      yield* client.publish("enhanced")
      client.send(largeChunks)
      for (const { kind, payload, timestamp } of sent) {
        const [type, body] =
          kind === "audio" ? [8, payload.subarray(2)] : [9, payload.subarray(payload[1] === 0 ? 5 : 2)]
        const first = kind === "audio" ? 0x90 | payload[1]! : 0x80 | (payload[0]! & 0x70) | payload[1]!
        const fourCc = kind === "audio" ? "mp4a" : "avc1"
        client.send(mediaBytes(type, timestamp, Buffer.concat([Buffer.from([first]), Buffer.from(fourCc), body])))
      }
      yield* until("all tags", () => recordings[1]?.tags.length === sent.length)
      assert.deepStrictEqual(
        recordings[1]!.tags.map(({ payload }) => Buffer.from(payload).toString("hex")),
        sent.map(({ payload }) => Buffer.from(payload).toString("hex"))
      )
      const played = yield* ffmpeg(["-i", `rtmp://127.0.0.1:${port}/live/enhanced`, "-f", "null", "-"])
      assert.strictEqual(played.code, 0, played.log)
    }).pipe(Effect.scoped)
  )

  it.live("publishes over TLS", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers, { tls: testCertificate, limits: { connectionsPerAddress: 1 } })
      for (const key of ["KEY", "NEXT"]) {
        const run = yield* ffmpeg([...pictures(1), `rtmps://127.0.0.1:${port}/live/${key}`])
        assert.strictEqual(run.code, 0, run.log)
      }
      assert.strictEqual(recordings[0]?.protocol, "rtmps")
      assert.strictEqual(framesOf(recordings[0]!.tags).filter(({ payload }) => payload[1] === 1).length, 25)
      assert.strictEqual(yield* Deferred.await(recordings[0]!.ended), "closed")
      const plain = yield* ffmpeg([...pictures(1), `rtmp://127.0.0.1:${port}/live/KEY`])
      assert.notStrictEqual(plain.code, 0)
      assert.strictEqual(recordings.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("is cut while another goes on", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const endless = (key: string) =>
        ffmpeg(["-re", ...pictures(600), `rtmp://127.0.0.1:${port}/live/${key}`]).pipe(Effect.forkScoped)
      const cut = yield* endless("cut")
      yield* endless("other")
      const find = (name: string) => recordings.find(({ key }) => key === name)
      yield* until("frames of both", () => ["cut", "other"].every((key) => framesOf(find(key)?.tags ?? []).length > 5))
      yield* Fiber.interrupt(cut)
      assert.strictEqual(yield* Deferred.await(find("cut")!.ended), "lost")
      const before = find("other")!.tags.length
      yield* until("more frames of the other", () => find("other")!.tags.length > before + 10)
      yield* Deferred.succeed(find("other")!.stop, "The live is over.")
      assert.strictEqual(yield* Deferred.await(find("other")!.ended), "closed")
    }).pipe(Effect.scoped)
  )
})
