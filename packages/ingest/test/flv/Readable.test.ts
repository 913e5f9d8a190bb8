import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { audioFourCcs, codecOfFourCc, videoFourCcs } from "../../src/flv/Codec.ts"
import { flvFileHeader, flvTagBytes } from "../../src/flv/FlvWriter.ts"
import type { MediaTag } from "../../src/flv/FlvTag.ts"
import { unreadable } from "../../src/flv/Readable.ts"
import { ffmpeg } from "../support/Ffmpeg.ts"

const frame = { keyframe: true, sequenceHeader: false, enhanced: true }

describe("codecs", () => {
  it("that are announced are taken", () => {
    for (const name of videoFourCcs) {
      assert.isUndefined(unreadable("video", { ...frame, codec: codecOfFourCc(Buffer.from(name), 0) }))
    }
    for (const name of audioFourCcs) {
      assert.isUndefined(unreadable("audio", { ...frame, codec: codecOfFourCc(Buffer.from(name), 0) }))
    }
    assert.isUndefined(unreadable("video", { ...frame, codec: "unknown", keyframe: false }), "a command, and no frame")
    assert.isDefined(unreadable("video", { ...frame, codec: "unknown" }))
  })

  it.live("of Enhanced RTMP are read by the bundled ffmpeg: pictures, but no sound", () =>
    Effect.gen(function* () {
      const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=0.5", "-pix_fmt", "yuv420p"]
      const encoders = [
        ["hevc", "libx265", "-preset", "ultrafast"],
        ["av1", "libsvtav1", "-preset", "12"],
        ["vp9", "libvpx-vp9", "-deadline", "realtime"]
      ] as const
      for (const [codec, ...encoder] of encoders) {
        const made = yield* ffmpeg([...picture, "-c:v", ...encoder, "-f", "flv", "pipe:1"])
        const { log } = yield* ffmpeg(["-i", "pipe:0", "-f", "null", "-"], made.output)
        assert.match(log, new RegExp(`Video: ${codec}`))
      }
      const sound = Array.from({ length: 20 }, (_, n): MediaTag => ({
        kind: "audio",
        codec: "opus",
        timestamp: n * 20,
        payload: Buffer.from([n === 0 ? 0x90 : 0x91, ...Buffer.from("Opus"), 0xfc, 0xff, 0xfe]),
        keyframe: n > 0,
        sequenceHeader: n === 0,
        enhanced: true
      }))
      const file = Buffer.concat([flvFileHeader({ audio: true, video: false }), ...sound.map(flvTagBytes)])
      assert.notInclude((yield* ffmpeg(["-i", "pipe:0"], file)).log, "Audio: opus")
    })
  )
})
