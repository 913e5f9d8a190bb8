import { assert, describe, it } from "@effect/vitest"
import { ladder, type LadderSettings } from "../../src/ladder/Ladder.ts"
import { defaultCodecs } from "../../src/ladder/VideoCodec.ts"
import { media, video } from "../support/Sample.ts"

const all: LadderSettings = {
  resolutions: [144, 240, 360, 480, 720, 1080, 1440, 2160],
  alwaysTranscodeOriginalResolution: false,
  maxFps: 60
}

const sizes = (made: ReturnType<typeof ladder>) => made.map((r) => `${r.resolution}: ${r.width}x${r.height}`)

describe("Ladder", () => {
  it("makes what is enabled up to the source's size, highest first", () => {
    assert.deepStrictEqual(sizes(ladder(media(video({ width: 1920, height: 1080 })), all)), [
      "1080: 1920x1080",
      "720: 1280x720",
      "480: 854x480",
      "360: 640x360",
      "240: 426x240",
      "144: 256x144"
    ])
  })

  it("names portrait videos by their shorter side", () => {
    assert.deepStrictEqual(
      sizes(ladder(media(video({ width: 1080, height: 1920 })), { ...all, resolutions: [360, 1080] })),
      ["1080: 1080x1920", "360: 360x640"]
    )
  })

  it("keeps the source's own resolution when that is wanted, or all there is", () => {
    const odd = media(video({ width: 1001, height: 801 }))
    const settings = { ...all, resolutions: [480] }
    assert.deepStrictEqual(sizes(ladder(odd, settings)), ["480: 600x480"])
    assert.deepStrictEqual(sizes(ladder(odd, { ...settings, alwaysTranscodeOriginalResolution: true })), [
      "801: 1000x800",
      "480: 600x480"
    ])
    assert.deepStrictEqual(sizes(ladder(media(video({ width: 120, height: 90 })), settings)), ["90: 120x90"])
  })

  it("makes H.264 unless told otherwise, and then keeps one of it for those who cannot play the other", () => {
    const codecs = (how: Partial<typeof defaultCodecs>, width = 1920, height = 1080) =>
      ladder(
        media(video({ width, height })),
        { ...all, resolutions: [240, 480, 1080] },
        { ...defaultCodecs, ...how }
      ).map(({ codec, crf, resolution }) => `${resolution} ${codec} ${crf}`)
    assert.deepStrictEqual(codecs({}), ["1080 h264 22.5", "480 h264 22", "240 h264 22"])
    assert.deepStrictEqual(codecs({ codec: "av1" }), ["1080 av1 36.5", "480 h264 22", "240 av1 36"])
    const quality = { h264: 20, hevc: 30, av1: 1, vp9: 1 }
    assert.deepStrictEqual(codecs({ codec: "hevc", quality, keepH264: false }), [
      "1080 hevc 30.5",
      "480 hevc 30",
      "240 hevc 30"
    ])
    // Where there is no small one, the smallest is it; where there is but one, that one.
    const large = { ...all, resolutions: [720, 1080] }
    const made = ladder(media(video({ width: 1920, height: 1080 })), large, { ...defaultCodecs, codec: "vp9" })
    assert.deepStrictEqual(
      made.map(({ codec }) => codec),
      ["vp9", "h264"]
    )
    assert.deepStrictEqual(codecs({ codec: "vp9" }, 192, 108), ["108 h264 22"])
    // Encoders of the others take no smaller pictures.
    assert.deepStrictEqual(codecs({ codec: "av1", keepH264: false }, 120, 62), ["62 h264 22"])
  })

  it("never makes an odd size", () => {
    for (let height = 2; height < 1200; height += 7) {
      const made = ladder(media(video({ width: Math.round(height * 2.39), height })), {
        ...all,
        alwaysTranscodeOriginalResolution: true
      })
      for (const rendition of made) assert.deepStrictEqual([rendition.width % 2, rendition.height % 2], [0, 0])
    }
  })

  it("halves high frame rates below 720p and cuts all at the same instants", () => {
    const made = ladder(media(video({ width: 1280, height: 720, fps: 59.94, nominalFps: 59.94 })), all)
    assert.deepStrictEqual(
      made.map((rendition) => rendition.frameRate.text),
      ["60000/1001", "30000/1001", "30000/1001", "30000/1001", "30000/1001"]
    )
    const instants = made.map((rendition) => rendition.keyframeEvery / rendition.frameRate.value)
    assert.isTrue(instants.every((instant) => Math.abs(instant - (instants[0] ?? 0)) < 1e-9))
    assert.closeTo(instants[0] ?? 0, 4, 0.05)
  })

  it("divides what is above the cap by whole numbers", () => {
    const rate = (fps: number, maxFps: number) =>
      ladder(media(video({ width: 1280, height: 720, fps, nominalFps: fps })), {
        ...all,
        resolutions: [720],
        maxFps
      })[0]?.frameRate.text
    assert.strictEqual(rate(120, 60), "60")
    assert.strictEqual(rate(144, 60), "48")
    assert.strictEqual(rate(50, 30), "25")
    assert.strictEqual(rate(25, 60), "25")
    assert.strictEqual(rate(23.976, 60), "24000/1001")
  })

  it("makes uneven frames even", () => {
    const rate = (fps: number, nominalFps: number) =>
      ladder(media(video({ width: 640, height: 480, fps, nominalFps, variableFps: true })), all)[0]?.frameRate.text
    assert.strictEqual(rate(28.7, 30), "30")
    assert.strictEqual(rate(28.7, 90_000), "30")
    assert.strictEqual(rate(0.2, 1000), "24")
  })

  it("adds sound alone where 0p is enabled and there is sound", () => {
    const settings = { ...all, resolutions: [0, 240] }
    const made = (audio: boolean) => ladder(media(video({ width: 426, height: 240 }), audio), settings)
    assert.deepStrictEqual(sizes(made(true)), ["240: 426x240", "0: 0x0"])
    assert.deepStrictEqual(sizes(made(false)), ["240: 426x240"])
  })

  it("shows a still picture over sound", () => {
    assert.deepStrictEqual(sizes(ladder(media(undefined), all)), ["480: 854x480", "0: 0x0"])
    assert.deepStrictEqual(sizes(ladder(media(undefined), { ...all, resolutions: [720] })), ["720: 1280x720", "0: 0x0"])
    assert.deepStrictEqual(sizes(ladder(media(undefined), { ...all, resolutions: [] })), ["480: 854x480", "0: 0x0"])
  })
})
