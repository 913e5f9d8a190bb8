import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { type MatroskaTracks, MatroskaWriter } from "../../src/matroska/MatroskaWriter.ts"
import { Depacketizer } from "../../src/webrtc/h264/Depacketizer.ts"
import { Malformed } from "../../src/webrtc/bytes/Malformed.ts"
import { MediaAssembly } from "../../src/webrtc/MediaAssembly.ts"
import { readRtp } from "../../src/webrtc/rtp/RtpPacket.ts"
import { Source } from "../../src/webrtc/rtp/Source.ts"
import { ffmpeg } from "../support/Ffmpeg.ts"

const limits = { maxDelay: 500, packets: 1024 }

const listen = Effect.acquireRelease(
  Effect.callback<Socket>((resume) => {
    const socket = createSocket("udp4")
    socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
  }),
  (socket) => Effect.callback<void>((done) => void socket.close(() => done(Effect.void)))
)

/** Seconds of pictures and a tone, as ffmpeg packs them in RTP. */
const sent = (size: string, video: number, audio: number) => [
  ...["-re", "-f", "lavfi", "-i", `testsrc2=size=${size}:rate=25:duration=2`],
  ...["-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2"],
  ...[
    "-map",
    "0:v",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-tune",
    "zerolatency",
    "-g",
    "25",
    "-pix_fmt",
    "yuv420p"
  ],
  ...["-payload_type", "96", "-f", "rtp", `rtp://127.0.0.1:${video}?pkt_size=1200`],
  ...["-map", "1:a", "-c:a", "libopus", "-ac", "2", "-payload_type", "111", "-f", "rtp", `rtp://127.0.0.1:${audio}`]
]

const record = Effect.fnUntraced(function* (size: string) {
  const [video, audio] = [yield* listen, yield* listen]
  const begun: Array<MatroskaTracks> = []
  const writer = new MatroskaWriter()
  const bytes: Array<Buffer> = []
  const assembly = new MediaAssembly(
    { video: true, audio: true },
    {
      begin: (tracks) => {
        begun.push(tracks)
        bytes.push(writer.begin(tracks))
      },
      frame: (frame) => void bytes.push(writer.frame(frame))
    }
  )
  const depacketizer = new Depacketizer()
  const [pictures, sound] = [new Source(90_000, limits), new Source(48_000, limits)]
  video.on("message", (datagram) => {
    const packet = readRtp(datagram, undefined)
    if (packet?.payloadType !== 96) return
    const now = performance.now()
    for (const one of pictures.add(packet, now)) {
      for (const picture of depacketizer.add(one))
        assembly.picture(picture, pictures.clock.timeOf(picture.timestamp, now))
    }
  })
  audio.on("message", (datagram) => {
    const packet = readRtp(datagram, undefined)
    if (packet?.payloadType !== 111) return
    const now = performance.now()
    for (const one of sound.add(packet, now))
      assembly.sound(one.packet.payload, sound.clock.timeOf(one.packet.timestamp, now))
  })
  const run = yield* ffmpeg(sent(size, video.address().port, audio.address().port))
  assert.strictEqual(run.code, 0, run.log)
  return { begun, matroska: Buffer.concat(bytes) }
}, Effect.scoped)

const read = (file: Buffer, args: ReadonlyArray<string>) =>
  Effect.map(ffmpeg(["-xerror", "-f", "matroska", "-i", "pipe:0", ...args], file), ({ code, log, output }) => {
    assert.strictEqual(code, 0, log)
    return output
      .toString()
      .split("\n")
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split(",").map(Number))
  })

describe("media in RTP", () => {
  it.live("of ffmpeg becomes Matroska with every picture, its size, and the sound beside it", () =>
    Effect.gen(function* () {
      // Neither side is a multiple of the 16 pixels that are coded at once.
      const { begun, matroska } = yield* record("322x182")
      assert.deepInclude(begun[0]?.video, { width: 322, height: 182 })
      assert.isTrue(begun[0]?.audio)
      const pictures = yield* read(matroska, ["-map", "0:v", "-f", "framecrc", "-"])
      assert.isAtLeast(pictures.length, 49)
      const times = (yield* read(matroska, ["-map", "0:v", "-c", "copy", "-f", "framecrc", "-"])).map((it) => it[2]!)
      for (const [index, time] of times.entries()) {
        if (index > 0) assert.closeTo(time - times[index - 1]!, 40, 2)
      }
      const sound = yield* read(matroska, ["-map", "0:a", "-c", "copy", "-f", "framecrc", "-"])
      assert.isAtLeast(sound.length, 70)
    })
  )

  it("ends where the picture changes its size, and takes parameters that are said again", () => {
    const sps = (macroblocks: number) =>
      // Baseline, level 3.1; log2 of frame numbers 4, order 0 with 4 bits, one reference, then width and height.
      Buffer.from([0x67, 66, 0, 31, ...bitsOf(`11110100${golomb(macroblocks - 1)}${golomb(8)}10001`)])
    const pps = Buffer.from([0x68, 0xce, 0x3c, 0x80])
    const idr = Buffer.from([0x65, 1, 2, 3])
    const begun: Array<MatroskaTracks> = []
    const assembly = new MediaAssembly(
      { video: true, audio: false },
      { begin: (tracks) => void begun.push(tracks), frame: () => undefined }
    )
    const picture = (macroblocks: number, time: number) =>
      assembly.picture({ units: [sps(macroblocks), pps, idr], keyframe: true, timestamp: 0 }, time)
    picture(20, 0)
    picture(20, 40)
    assert.deepInclude(begun[0]?.video, { width: 320, height: 144 })
    assert.throws(() => picture(40, 80), Malformed, "the picture changed from 320x144 to 640x144")
  })
})

const golomb = (value: number): string => {
  const bits = (value + 1).toString(2)
  return "0".repeat(bits.length - 1) + bits
}

const bitsOf = (bits: string): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).padEnd(8, "0"), 2)
  )
