import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { ladder, type LadderSettings } from "../../src/ladder/Ladder.ts"
import { type CodecChoice, defaultCodecs, type VideoCodec } from "../../src/ladder/VideoCodec.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Remux } from "../../src/remux/Remux.ts"
import { defaultMediaSettings, MediaSettings } from "../../src/settings/MediaSettings.ts"
import type { Encoded } from "../../src/transcode/Encoded.ts"
import { fileNames } from "../../src/transcode/FileNames.ts"
import { Transcode } from "../../src/transcode/Transcode.ts"
import { decoded, everything, keyframes, loudness } from "../support/Look.ts"
import { Clips, MediaTest, mediaTest } from "../support/MediaTest.ts"
import { checkRanges } from "../support/ReadHls.ts"

const settings: LadderSettings = { resolutions: [72], alwaysTranscodeOriginalResolution: true, maxFps: 60 }

const transcoded = Effect.fnUntraced(function* (
  name: string,
  how: LadderSettings = settings,
  codecs: CodecChoice = defaultCodecs
) {
  const clips = yield* Clips
  const source = yield* clips.clip(name)
  const info = yield* (yield* Probe).probe(source)
  const encoded = yield* (yield* Transcode).transcode({
    source,
    info,
    renditions: ladder(info, how, codecs),
    directory: yield* clips.folder,
    names: fileNames("x"),
    hls: true,
    webVideo: true,
    splitAudio: false,
    storyboard: undefined
  })
  return { encoded, info, source }
})

const filesOf = ({ renditions }: Encoded) =>
  renditions.flatMap(({ hls, web }) => [hls, web].flatMap((made) => (made === undefined ? [] : [made.file])))

/** How each codec is named: by ffprobe, in the mp4, and in playlists (RFC 6381). */
const codecs: ReadonlyArray<readonly [codec: VideoCodec, tag: string, names: RegExp]> = [
  ["h264", "avc1", /CODECS="avc1\.64[0-9a-f]{4},mp4a\.40\.2"/g],
  ["hevc", "hvc1", /CODECS="hvc1\.1\.6\.L\d+\.90,mp4a\.40\.2"/g],
  ["av1", "av01", /CODECS="av01\.0\.\d\dM\.08,mp4a\.40\.2"/g],
  ["vp9", "vp09", /CODECS="vp09\.00\.[1-6]\d\.08,mp4a\.40\.2"/g]
]

layer(MediaTest, { excludeTestServices: true })("quality of a ladder", (it) => {
  /** All files of a ladder begin segments at the same instants, and all segments but the last are equally long. */
  const checkCuts = Effect.fnUntraced(function* (encoded: Encoded, instants: ReadonlyArray<number>, slack: number) {
    for (const file of filesOf(encoded)) {
      const found = yield* keyframes(file)
      assert.strictEqual(found.length, instants.length, file)
      // Readers of fragments that know no negative composition times count from the first frame decoded, not shown.
      const [first = 0] = found
      found.forEach((at, index) => assert.closeTo(at - first, instants[index] ?? -1, slack, file))
    }
    const [, second = 0] = instants
    for (const { hls } of encoded.renditions) {
      const { problems, segments } = yield* checkRanges(hls?.playlist ?? "", encoded.segments ?? "")
      assert.deepStrictEqual(problems, [])
      assert.strictEqual(segments.length, instants.length)
      for (const { seconds } of segments.slice(0, -1)) assert.closeTo(seconds, second, slack)
    }
  })

  for (const [codec, tag, names] of codecs) {
    it.effect(
      `${codec}: every file decodes, is named rightly and is cut where the others are`,
      () =>
        Effect.gen(function* () {
          const choice = { ...defaultCodecs, codec, keepH264: false }
          const { encoded } = yield* transcoded("film.mp4", settings, choice)
          for (const file of filesOf(encoded)) {
            const shown: {
              readonly streams: ReadonlyArray<Record<string, unknown>>
            } = JSON.parse(yield* everything(file))
            assert.deepInclude(shown.streams[0], { codec_name: codec, codec_tag_string: tag, pix_fmt: "yuv420p" })
            assert.deepStrictEqual(yield* decoded(file), { frames: 204, complaints: [] })
          }
          const frames = 96 * (1001 / 24000)
          yield* checkCuts(encoded, [0, frames, 2 * frames], 0.0001)
          const master = yield* (yield* FileSystem.FileSystem).readFileString(encoded.master ?? "")
          assert.lengthOf(master.match(names) ?? [], 2)
          assert.include(master, "FRAME-RATE=23.976")
        }),
      120_000
    )
  }

  it.effect("keeps one rendition that plays everywhere", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded(
        "plain.mp4",
        { ...settings, resolutions: [144, 72] },
        {
          ...defaultCodecs,
          codec: "av1"
        }
      )
      const master = yield* (yield* FileSystem.FileSystem).readFileString(encoded.master ?? "")
      assert.deepStrictEqual(
        [...master.matchAll(/RESOLUTION=\d+x(\d+),.*CODECS="(....)/g)].map(([, size, codec]) => [size, codec]),
        [
          ["360", "avc1"],
          ["144", "av01"],
          ["72", "av01"]
        ]
      )
    })
  )

  it.effect("cuts 60 and 30 frames a second alike", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded("square60.mp4")
      assert.deepStrictEqual(
        encoded.renditions.map(({ fps }) => fps),
        [60, 30]
      )
      yield* checkCuts(encoded, [0, 4], 0.0001)
    })
  )

  it.effect("cuts a source of uneven frames evenly", () =>
    Effect.gen(function* () {
      const { encoded, info } = yield* transcoded("uneven.mp4")
      assert.isTrue(info.video?.variableFps)
      yield* checkCuts(encoded, [0, 4, 8], 0.0001)
    })
  )

  for (const [name, sound] of [
    ["loud.mkv", "encoded anew"],
    ["film.mp4", "kept"],
    ["clip.webm", "from Opus"]
  ] as const) {
    it.effect(`leaves loudness as it is: ${sound}`, () =>
      Effect.gen(function* () {
        const { encoded, source } = yield* transcoded(name)
        const before = yield* loudness(source)
        assert.isBelow(before, 0)
        for (const file of filesOf(encoded)) assert.closeTo(yield* loudness(file), before, 0.3)
      })
    )
  }

  it.effect("tells nothing of who filmed where, with what and when", () =>
    Effect.gen(function* () {
      const { encoded, info, source } = yield* transcoded("phone.mov")
      assert.match(yield* everything(source), /Ada at home/)
      assert.deepStrictEqual([info.video?.rotation, info.video?.width, info.video?.height], [270, 180, 320])
      const upright = yield* (yield* Clips).clip("upright-phone.mov")
      const remuxed = yield* (yield* Remux).remux({
        source: upright,
        info: yield* (yield* Probe).probe(upright),
        directory: yield* (yield* Clips).folder,
        names: fileNames("x"),
        hls: true,
        webVideo: true,
        splitAudio: true
      })
      assert.match(yield* everything(upright), /Ada at home/)
      for (const file of [...filesOf(encoded), ...filesOf(remuxed)]) {
        const text = yield* everything(file)
        assert.notMatch(text, /Ada|quicktime\.|android|2026-|creation_time|Do not show|Kitchen|iPhone|\+48\.8/, file)
        assert.deepStrictEqual(JSON.parse(text).chapters, [])
      }
      for (const { height, width } of encoded.renditions) assert.isAbove(height, width)
    })
  )
})

const keeping = Layer.succeed(MediaSettings, { ...defaultMediaSettings, metadata: "keep" })

layer(mediaTest(keeping), { excludeTestServices: true })("a ladder that keeps what a file says of itself", (it) => {
  it.effect("keeps it in every file, and chapters where there is room for them", () =>
    Effect.gen(function* () {
      const { encoded } = yield* transcoded("phone.mov")
      for (const { hls, web } of encoded.renditions) {
        for (const file of [hls?.file ?? "", web?.file ?? ""]) {
          const text = yield* everything(file)
          for (const words of ["Ada at home", "Do not show", "+48.8577+002.2950", "iPhone 17", "2026-05-04T03:02:01"])
            assert.include(text, words, file)
          assert.deepInclude((yield* (yield* Probe).probe(file)).video, { rotation: 0, anamorphic: false })
        }
        assert.lengthOf(JSON.parse(yield* everything(hls?.file ?? "")).streams, 2)
        assert.match(yield* everything(web?.file ?? ""), /Kitchen of Ada/)
        const { problems } = yield* checkRanges(hls?.playlist ?? "", encoded.segments ?? "")
        assert.deepStrictEqual(problems, [])
      }
    })
  )
})
