import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { PublishRefused } from "../../src/Publisher.ts"
import { until } from "../support/Eventually.ts"
import { ffmpeg } from "../support/Ffmpeg.ts"
import { lossyRelay } from "../support/LossyRelay.ts"
import { transportStream } from "../support/TransportStream.ts"
import { bytesOf, listeningSrt, type SrtRecording, srtRecorder } from "../support/SrtRecorder.ts"

/** Publishes a file in real time to a port of the loopback. */
const publish = (file: string, port: number, query = "streamid=KEY", options: ReadonlyArray<string> = []) =>
  ffmpeg(["-re", ...options, "-i", file, "-c", "copy", "-f", "mpegts", `srt://127.0.0.1:${port}?${query}`])

/** libsrt closes without sending what it still has: the end of a stream may be missing or broken, but nothing before. */
const assertWhole = (recording: SrtRecording, sent: Buffer) => {
  const received = bytesOf(recording)
  const differs = received.findIndex((byte, index) => byte !== sent[index])
  assert.isAbove(differs < 0 ? received.length : differs, sent.length - 200_000)
  assert.strictEqual(received.length % 188, 0)
}

const passphrase = "a-secret-of-the-tests"

describe("ffmpeg, over SRT", () => {
  it.live("publishes a transport stream, byte for byte", () =>
    Effect.gen(function* () {
      const { bytes, file } = yield* transportStream(2)
      const { handlers, recordings } = srtRecorder()
      const port = yield* listeningSrt(handlers)
      const run = yield* publish(file, port)
      assert.strictEqual(run.code, 0, run.log)
      const [recording] = recordings
      assert.strictEqual(recording?.key, "KEY")
      assert.deepInclude(recording.request, { protocol: "srt", address: "127.0.0.1" })
      assert.strictEqual(yield* Deferred.await(recording.ended), "closed")
      assertWhole(recording, bytes)
      yield* publish(file, port, `streamid=${encodeURIComponent("#!::m=publish,r=OTHER")}`)
      assert.strictEqual(recordings[1]?.key, "OTHER")
    }).pipe(Effect.scoped)
  )

  it.live("publishes over a network that loses, repeats and mixes up packets", () =>
    Effect.gen(function* () {
      const { bytes, file } = yield* transportStream(4)
      const { handlers, recordings } = srtRecorder()
      const relay = yield* lossyRelay(yield* listeningSrt(handlers), { lost: 5, twice: 3, late: 10 })
      const run = yield* publish(file, relay.port)
      assert.strictEqual(run.code, 0, run.log)
      assert.isAbove(relay.counts.lost, 30)
      yield* Deferred.await(recordings[0]!.ended)
      assertWhole(recordings[0]!, bytes)
    }).pipe(Effect.scoped)
  )

  for (const length of [16, 32]) {
    it.live(`publishes with a passphrase and keys of ${length} bytes, which it changes`, () =>
      Effect.gen(function* () {
        const { bytes, file } = yield* transportStream(2)
        const { handlers, recordings } = srtRecorder()
        const port = yield* listeningSrt(handlers, { passphrase })
        const query = `streamid=KEY&passphrase=${passphrase}&pbkeylen=${length}&kmrefreshrate=200&kmpreannounce=50`
        const run = yield* publish(file, port, query)
        assert.strictEqual(run.code, 0, run.log)
        yield* Deferred.await(recordings[0]!.ended)
        assertWhole(recordings[0]!, bytes)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is rejected with the key, the passphrase or the mode that is wrong", () =>
    Effect.gen(function* () {
      const { file } = yield* transportStream(1)
      const { handlers, recordings } = srtRecorder()
      const open = yield* listeningSrt(handlers)
      const closed = yield* listeningSrt(handlers, { passphrase })
      for (const [port, query, reason] of [
        [open, "streamid=wrong", "PREDEFINED:401"],
        [open, "mode=caller", "PREDEFINED:400"],
        [open, `streamid=${encodeURIComponent("#!::r=KEY,m=request")}`, "PREDEFINED:405"],
        [open, "streamid=KEY&transtype=file", "ERROR:MESSAGEAPI"],
        [open, "streamid=KEY&passphrase=a-secret-of-the-tests", "ERROR:UNSECURE"],
        [closed, "streamid=KEY", "ERROR:UNSECURE"],
        [closed, "streamid=KEY&passphrase=another-secret", "ERROR:BADSECRET"]
      ] as const) {
        const run = yield* publish(file, port, query)
        assert.notStrictEqual(run.code, 0, run.log)
        assert.include(/\bERROR:\S+/.exec(run.log)?.[0] ?? run.log, reason, query)
      }
      assert.strictEqual(recordings.length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("is cut by our side, and noticed when it disappears", () =>
    Effect.gen(function* () {
      const { file } = yield* transportStream(2)
      const { handlers, recordings } = srtRecorder()
      const port = yield* listeningSrt(handlers, { limits: { peerTime: "1 second" } })
      const endless = (key: string) =>
        publish(file, port, `streamid=${key}`, ["-stream_loop", "-1"]).pipe(Effect.forkScoped)
      const stopped = yield* endless("stopped")
      const killed = yield* endless("killed")
      yield* until(
        "media of both",
        () => recordings.length === 2 && recordings.every(({ pieces }) => pieces.length > 5)
      )
      const find = (name: string) => recordings.find(({ key }) => key === name)!
      yield* Fiber.interrupt(killed)
      assert.strictEqual(yield* Deferred.await(find("killed").ended), "lost")
      yield* Deferred.succeed(find("stopped").stop, "The live is over.")
      assert.strictEqual(yield* Deferred.await(find("stopped").ended), "closed")
      const run = yield* Fiber.join(stopped)
      assert.notStrictEqual(run.code, 0)
    }).pipe(Effect.scoped)
  )

  it.live("loses what finds no place while our side is slow, and goes on", () =>
    Effect.gen(function* () {
      const { file } = yield* transportStream(2)
      const gate = yield* Deferred.make<void>()
      const { handlers, recordings } = srtRecorder(() => Deferred.await(gate))
      const port = yield* listeningSrt(handlers, { limits: { packets: 64, idleTime: "1 second" } })
      yield* publish(file, port, "streamid=KEY", ["-stream_loop", "-1"]).pipe(Effect.forkScoped)
      yield* until("the first piece", () => recordings[0]?.pieces.length === 1)
      // Longer than 64 packets and the idle time last.
      yield* Effect.sleep("1500 millis")
      assert.strictEqual(recordings[0]!.pieces.length, 1)
      yield* Deferred.succeed(gate, undefined)
      const kept = 64 * 1_316
      yield* until("much more", () => bytesOf(recordings[0]!).length > 5 * kept)
      assert.isFalse(yield* Deferred.isDone(recordings[0]!.ended))
    }).pipe(Effect.scoped)
  )

  it.live("is cut when its media is refused", () =>
    Effect.gen(function* () {
      const { file } = yield* transportStream(3)
      const { handlers, recordings } = srtRecorder(({ pieces }) =>
        pieces.length > 3 ? Effect.fail(new PublishRefused({ reason: "The quota is used up." })) : Effect.void
      )
      const port = yield* listeningSrt(handlers)
      const run = yield* publish(file, port)
      assert.notStrictEqual(run.code, 0)
      assert.strictEqual(yield* Deferred.await(recordings[0]!.ended), "closed")
      assert.strictEqual(recordings[0]!.pieces.length, 4)
    }).pipe(Effect.scoped)
  )
})
