import { assert, describe, it } from "@effect/vitest"
import { ladder } from "../../src/ladder/Ladder.ts"
import { defaultCodecs, type VideoCodec } from "../../src/ladder/VideoCodec.ts"
import { defaultMediaSettings } from "../../src/settings/MediaSettings.ts"
import { videoArguments } from "../../src/transcode/EncoderArguments.ts"
import type { VideoEncoder } from "../../src/transcode/VideoEncoder.ts"
import { media, video } from "../support/Sample.ts"

const made = (codec: VideoCodec, encoder?: VideoEncoder, threads = 2): string => {
  const how = { resolutions: [720], alwaysTranscodeOriginalResolution: false, maxFps: 60 }
  const [rendition] = ladder(media(video({})), how, { ...defaultCodecs, codec, keepH264: false })
  return rendition === undefined
    ? ""
    : videoArguments(rendition, { ...defaultMediaSettings, threads }, encoder).join(" ")
}

const caps = "-maxrate 4500000 -bufsize 9000000"
const end = "-map_metadata -1 -map_chapters -1 -f mp4"

describe("EncoderArguments", () => {
  it("makes H.264 that plays everywhere: all players and runners rest on these words", () => {
    assert.strictEqual(
      made("h264"),
      `-c:v libx264 -preset veryfast -profile:v high -pix_fmt yuv420p -crf 22 ${caps} -g 120 -keyint_min 120 -sc_threshold 0 -threads 2 ${end}`
    )
    assert.notInclude(made("h264", undefined, 0), "-threads")
  })

  it("caps every codec, has keyframes where the ladder has them, and 8 bits", () => {
    for (const codec of ["hevc", "av1", "vp9"] as const) {
      const words = made(codec)
      assert.include(words, codec === "vp9" ? "-b:v 4500000" : caps)
      assert.include(words, "-g 120")
      assert.include(words, "-pix_fmt yuv420p")
      assert.include(words, `-crf ${defaultCodecs.quality[codec]}`)
      assert.isTrue(words.endsWith(end))
    }
  })

  it("uses an encoder that was chosen for its own codec alone", () => {
    const chip: VideoEncoder = { name: "hevc_nvenc" }
    assert.include(made("hevc", chip), "-c:v hevc_nvenc")
    assert.include(made("h264", chip), "-c:v libx264")
    assert.include(made("av1", chip), "-c:v libsvtav1")
  })
})
