import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { ladder, type LadderSettings } from "../../src/ladder/Ladder.ts"
import { Probe } from "../../src/probe/Probe.ts"
import type { Progress } from "../../src/process/FfmpegProgress.ts"
import { defaultMediaSettings, MediaSettings } from "../../src/settings/MediaSettings.ts"
import { fileNames } from "../../src/transcode/FileNames.ts"
import { Transcode, type TranscodeOptions } from "../../src/transcode/Transcode.ts"
import { Clips, mediaTest } from "../support/MediaTest.ts"
import { checkRanges } from "../support/ReadHls.ts"

const settings: LadderSettings = { resolutions: [144], alwaysTranscodeOriginalResolution: true, maxFps: 60 }

/** What must come out of each source: sizes highest first, frame rate of the first, sound or none. */
const sources: ReadonlyArray<{
  readonly name: string
  readonly sizes: ReadonlyArray<readonly [number, number, number]>
  readonly fps: number
  readonly seconds: number
  readonly sound: boolean
}> = [
  {
    name: "odd.mp4",
    sizes: [
      [241, 320, 240],
      [144, 192, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "rotated.mp4",
    sizes: [
      [180, 180, 320],
      [144, 144, 256]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "portrait.mp4",
    sizes: [
      [180, 180, 320],
      [144, 144, 256]
    ],
    fps: 30,
    seconds: 2,
    sound: true
  },
  {
    name: "anamorphic.mp4",
    sizes: [
      [288, 512, 288],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: false
  },
  {
    name: "vfr.mp4",
    sizes: [
      [240, 320, 240],
      [144, 192, 144]
    ],
    fps: 30,
    seconds: 4,
    sound: true
  },
  {
    name: "hdr10.mp4",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 24,
    seconds: 2,
    sound: false
  },
  {
    name: "tenbit.mp4",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 24,
    seconds: 2,
    sound: false
  },
  {
    name: "interlaced.mp4",
    sizes: [
      [288, 352, 288],
      [144, 176, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "silent.mp4",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: false
  },
  {
    name: "short.mp4",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 30,
    seconds: 0.5,
    sound: true
  },
  {
    name: "clip.mkv",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "clip.webm",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "recorded.webm",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "clip.ts",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  },
  {
    name: "clip.avi",
    sizes: [
      [180, 320, 180],
      [144, 256, 144]
    ],
    fps: 25,
    seconds: 2,
    sound: true
  }
]

/** Fast: what is asked is not how well pictures are encoded. */
const FastMedia = mediaTest(Layer.succeed(MediaSettings, { ...defaultMediaSettings, preset: "superfast" }))

layer(FastMedia, { excludeTestServices: true })("Transcode", (it) => {
  const transcoded = Effect.fnUntraced(function* (
    name: string,
    how: LadderSettings,
    more: Partial<TranscodeOptions> = {}
  ) {
    const clips = yield* Clips
    const source = yield* clips.clip(name)
    const directory = yield* clips.folder
    const info = yield* (yield* Probe).probe(source)
    const encoded = yield* (yield* Transcode).transcode({
      source,
      info,
      renditions: ladder(info, how),
      directory,
      names: fileNames("x"),
      hls: true,
      webVideo: true,
      splitAudio: false,
      storyboard: `${directory}/storyboard.jpg`,
      ...more
    })
    return { encoded, info, directory }
  })

  for (const { fps, name, seconds, sizes, sound } of sources) {
    it.effect(
      `makes a ladder of ${name}`,
      () =>
        Effect.gen(function* () {
          const { directory, encoded } = yield* transcoded(name, settings)
          const probe = yield* Probe
          assert.deepStrictEqual(
            encoded.renditions.map((made) => [made.resolution, made.width, made.height]),
            sizes.map((size) => [...size])
          )
          assert.strictEqual(encoded.renditions[0]?.fps, fps)
          assert.closeTo(encoded.duration, seconds, 0.15)
          for (const made of encoded.renditions) {
            assert.strictEqual(made.hasAudio, sound)
            const listed = yield* checkRanges(made.hls?.playlist ?? "", encoded.segments ?? "")
            assert.deepStrictEqual(listed.problems, [])
            for (const file of [made.hls?.file ?? "", made.web?.file ?? ""]) {
              const result = yield* probe.probe(file)
              assert.deepInclude(result.video, {
                codec: "h264",
                pixelFormat: "yuv420p",
                width: made.width,
                height: made.height,
                rotation: 0,
                anamorphic: false,
                hdr: false,
                interlaced: false
              })
              assert.closeTo(result.video?.fps ?? 0, made.fps, 0.8)
              assert.closeTo(result.duration, seconds, 0.25)
              assert.deepStrictEqual(
                result.audio.map((audio) => audio.codec),
                sound ? ["aac"] : []
              )
            }
          }
          assert.strictEqual(encoded.storyboard?.spriteDuration, 1)
          const fs = yield* FileSystem.FileSystem
          assert.isAbove(Number((yield* fs.stat(`${directory}/storyboard.jpg`)).size), 200)
          const left = yield* fs.readDirectory(directory)
          assert.deepStrictEqual(
            left.filter((file) => file.startsWith(".")),
            [],
            "scratch files are gone"
          )
        }),
      120_000
    )
  }

  it.effect("cuts all renditions at the same instants, also those with fewer frames", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded("sixty.mp4", { ...settings, resolutions: [144, 360] })
      assert.deepStrictEqual(
        encoded.renditions.map((made) => made.fps),
        [60, 30, 30]
      )
      const bunny = yield* transcoded("plain.mp4", { ...settings, resolutions: [144, 240] })
      const cuts = yield* Effect.forEach(bunny.encoded.renditions, (made) =>
        checkRanges(made.hls?.playlist ?? "", bunny.encoded.segments ?? "")
      )
      for (const cut of cuts) {
        assert.deepStrictEqual(
          cut.segments.map((segment) => segment.seconds),
          [4, 2]
        )
      }
    })
  )

  it.effect("shares one sound when it is split, and leaves it in the web videos", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded("plain.mp4", settings, { splitAudio: true })
      const fs = yield* FileSystem.FileSystem
      const probe = yield* Probe
      assert.deepStrictEqual(
        encoded.renditions.map((made) => [made.resolution, made.hasVideo, made.hasAudio, made.web !== undefined]),
        [
          [360, true, false, true],
          [144, true, false, true],
          [0, false, true, false]
        ]
      )
      const master = yield* fs.readFileString(encoded.master ?? "")
      assert.match(master, /#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",.*URI="x-0\.m3u8"/)
      assert.lengthOf(master.match(/CODECS="avc1\.64[0-9a-f]{4},mp4a\.40\.2",AUDIO="audio"/g) ?? [], 2)
      const [first] = encoded.renditions
      assert.lengthOf((yield* probe.probe(first?.hls?.file ?? "")).audio, 0)
      assert.lengthOf((yield* probe.probe(first?.web?.file ?? "")).audio, 1)
      const sound = encoded.renditions.at(-1)
      const listed = yield* checkRanges(sound?.hls?.playlist ?? "", encoded.segments ?? "")
      assert.deepStrictEqual(listed.problems, [])
    })
  )

  for (const [name, picture] of [
    ["sound.mp3", undefined],
    ["cover.mp3", undefined],
    ["sound.mp3", "cover.png"]
  ] as const) {
    it.effect(`shows a still picture for ${name}${picture === undefined ? "" : " with an uploaded one"}`, () =>
      Effect.gen(function* () {
        const uploaded = picture === undefined ? undefined : yield* (yield* Clips).clip(picture)
        const { encoded } = yield* transcoded(name, { ...settings, resolutions: [240] }, { picture: uploaded })
        assert.deepStrictEqual(
          encoded.renditions.map((made) => [made.resolution, made.hasVideo, made.hasAudio]),
          [
            [240, true, true],
            [0, false, true]
          ]
        )
        const [first] = encoded.renditions
        const result = yield* (yield* Probe).probe(first?.web?.file ?? "")
        assert.closeTo(result.duration, 4, 0.3)
        assert.deepInclude(result.video, { width: 426, height: 240 })
        assert.isUndefined(encoded.storyboard)
      })
    )
  }

  it.effect("blames a file whose packets are garbage", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(transcoded("garbage.mp4", settings))
      assert.deepInclude(error, { _tag: "UnsupportedMedia", reason: "no-frames" })
    })
  )

  it.effect("takes no longer and holds no more than a file really has", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded("halfdata.mp4", settings)
      assert.isBelow(encoded.duration, 5)
      assert.isAbove(encoded.duration, 1)
    })
  )

  it.effect("reports progress to the end", () =>
    Effect.gen(function* () {
      const reports: Array<Progress> = []
      yield* transcoded("plain.mp4", settings, {
        onProgress: (report) => Effect.sync(() => void reports.push(report))
      })
      assert.strictEqual(reports.at(-1)?.fraction, 1)
      assert.isTrue(reports.every((report, index) => report.fraction >= (reports[index - 1]?.fraction ?? 0)))
      // Long before the end: an output that begins late would keep ffmpeg silent.
      assert.isTrue(reports.some((report) => report.fraction > 0 && report.fraction < 0.8))
    })
  )
})
