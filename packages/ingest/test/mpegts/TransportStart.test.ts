import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { packetLength } from "../../src/mpegts/ProgramMap.ts"
import { type StreamStart, TransportStart } from "../../src/mpegts/TransportStart.ts"
import { ffmpeg } from "../support/Ffmpeg.ts"
import { type Random, randomOf, seeds } from "../support/Random.ts"

/** Four seconds of a transport stream with a keyframe each second. */
const stream = Effect.fnUntraced(function* (options: ReadonlyArray<string>) {
  const inputs = [
    ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4"],
    ...["-f", "lavfi", "-i", "sine=frequency=440:duration=4"]
  ]
  const run = yield* ffmpeg([...inputs, "-pix_fmt", "yuv420p", "-g", "25", ...options, "-f", "mpegts", "pipe:1"])
  assert.strictEqual(run.code, 0, run.log)
  return run.output
})

const split = function* (bytes: Buffer, random: Random): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const length = random.pick([1, 100, 188, 1_316, 40_000])
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** Where a stream begins that arrives in pieces, with all that follows. */
const started = (pieces: Iterable<Buffer>): StreamStart | undefined => {
  const start = new TransportStart()
  let found: StreamStart | undefined
  const rest: Array<Buffer> = []
  for (const piece of pieces) {
    const own = Buffer.from(piece)
    if (found === undefined) found = start.add(own)
    else rest.push(piece)
    own.fill(0xee)
  }
  return found === undefined ? undefined : { isAac: found.isAac, bytes: Buffer.concat([found.bytes, ...rest]) }
}

const h264 = ["-c:v", "libx264", "-preset", "ultrafast"]
const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=25"]

/** Errors of a decoder at the beginning of the stream, and how many frames it makes. */
const decoded = Effect.fnUntraced(function* (bytes: Buffer) {
  const args = ["-v", "warning", "-f", "mpegts", "-i", "pipe:0", "-map", "0:v", "-f", "framehash", "-"]
  const run = yield* ffmpeg(args, bytes)
  const errors = run.log.split("\n").filter((line) => /h264|hevc/.test(line))
  return {
    errors,
    frames: run.output
      .toString()
      .split("\n")
      .filter((line) => line.startsWith("0,")).length
  }
})

describe("TransportStart", () => {
  for (const [name, options, isAac] of [
    ["H.264 and AAC", [...h264, "-c:a", "aac"], true],
    ["HEVC and MP2", [...hevc, "-c:a", "mp2"], false],
    ["H.264 and AC-3", [...h264, "-c:a", "ac3"], false]
  ] as const) {
    it.live(`begins at the first keyframe of ${name}, however it arrives`, () =>
      Effect.gen(function* () {
        const whole = yield* stream(options)
        const complete = started(split(whole, randomOf(1)))
        assert.strictEqual(complete?.isAac, isAac)
        assert.strictEqual((yield* decoded(complete!.bytes)).frames, 100)
        // From the middle of the first second, and of a packet.
        const cut = whole.subarray(Math.floor(whole.length / 8))
        const begins = started([cut])!
        for (let seed = 0; seed < 20; seed++) assert.deepStrictEqual(started(split(cut, randomOf(seed))), begins)
        const { errors, frames } = yield* decoded(begins.bytes)
        assert.deepStrictEqual(errors, [])
        assert.strictEqual(frames, 75)
        assert.isTrue((yield* decoded(cut)).errors.length > 0)
      })
    )
  }

  it.live("begins at once where there is no picture", () =>
    Effect.gen(function* () {
      const sound = yield* stream(["-vn", "-c:a", "aac"])
      const begins = started([sound.subarray(0, 10 * packetLength)])
      assert.isTrue(begins?.isAac)
    })
  )

  it.live("takes a stream as it is whose keyframes nothing marks", () =>
    Effect.gen(function* () {
      const bytes = yield* stream(["-c:v", "mpeg2video", "-c:a", "aac"])
      // Without the marks of random access, and without parameters that are known.
      for (let at = 0; at < bytes.length; at += packetLength) {
        if ((bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! > 0) bytes[at + 5]! &= 0xbf
      }
      assert.isUndefined(started([bytes]))
      const begins = started([bytes, bytes, bytes])
      assert.strictEqual(begins?.bytes.length, 3 * bytes.length)
    })
  )

  it("keeps no more than some mebibytes of what is none", () => {
    const start = new TransportStart()
    const noise = Buffer.alloc(1_316, 0x47)
    let added = 0
    while (start.add(noise) === undefined) added += noise.length
    assert.isBelow(added, 5 * 1024 * 1024)
    const silent = new TransportStart()
    for (let count = 0; count < 10_000; count++) assert.isUndefined(silent.add(Buffer.alloc(1_316)))
  })

  it.live("survives any bytes", () =>
    Effect.gen(function* () {
      const real = (yield* stream([...h264, "-c:a", "aac"])).subarray(0, 40 * packetLength)
      for (let seed = 0; seed < seeds(1_000, 30_000); seed++) {
        const random = randomOf(seed)
        const bytes = Buffer.from(real)
        for (let count = 1 + random.below(20); count > 0; count--) bytes[random.below(2_000)] = random.below(256)
        started(split(bytes, random))
      }
    })
  )
})
