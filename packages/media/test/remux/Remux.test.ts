import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { Probe } from "../../src/probe/Probe.ts"
import { browserPlayable } from "../../src/playable/BrowserPlayable.ts"
import { Remux } from "../../src/remux/Remux.ts"
import { fileNames } from "../../src/transcode/FileNames.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"
import { checkRanges } from "../support/ReadHls.ts"

layer(MediaTest, { excludeTestServices: true })("Remux", (it) => {
  const remuxed = Effect.fnUntraced(function* (name: string, splitAudio = false) {
    const clips = yield* Clips
    const source = yield* clips.clip(name)
    const directory = yield* clips.folder
    const info = yield* (yield* Probe).probe(source)
    const remux = yield* Remux
    return {
      info,
      made: yield* remux.remux({
        source,
        info,
        directory,
        names: fileNames("r"),
        hls: true,
        webVideo: true,
        splitAudio
      })
    }
  })

  it.effect("puts a playable source into both containers without touching its streams", () =>
    Effect.gen(function* () {
      const { info, made } = yield* remuxed("bbb-10.mp4")
      const fs = yield* FileSystem.FileSystem
      const probe = yield* Probe
      assert.lengthOf(made.renditions, 1)
      const [only] = made.renditions
      assert.deepInclude(only, { resolution: 1080, width: 1920, height: 1080, fps: 24, hasVideo: true, hasAudio: true })
      assert.deepStrictEqual((yield* checkRanges(only?.hls?.playlist ?? "", made.segments ?? "")).problems, [])
      const web = yield* probe.probe(only?.web?.file ?? "")
      assert.closeTo(web.duration, info.duration, 0.05)
      assert.strictEqual(web.video?.profile, info.video?.profile)
      const head = Buffer.from(yield* fs.readFile(only?.web?.file ?? ""))
        .subarray(0, 200_000)
        .toString("latin1")
      assert.isAbove(head.indexOf("moov"), 0, "the index comes first")
      assert.match(yield* fs.readFileString(made.master ?? ""), /CODECS="avc1\.640028,mp4a\.40\.2"/)
    })
  )

  it.effect("splits the sound when told to", () =>
    Effect.gen(function* () {
      const { made } = yield* remuxed("plain.mp4", true)
      assert.deepStrictEqual(
        made.renditions.map((rendition) => [rendition.resolution, rendition.hasVideo, rendition.hasAudio]),
        [
          [360, true, false],
          [0, false, true]
        ]
      )
    })
  )

  it.effect("works without sound", () =>
    Effect.gen(function* () {
      const { made } = yield* remuxed("silent.mp4")
      assert.deepInclude(made.renditions[0], { hasVideo: true, hasAudio: false })
    })
  )

  for (const [name, reason] of [
    ["hdr10.mp4", /hevc/],
    ["tenbit.mp4", /yuv420p10le/],
    ["odd.mp4", /yuv444p/],
    ["interlaced.mp4", /interlaced/],
    ["rotated.mp4", /rotated/],
    ["anamorphic.mp4", /square/],
    ["clip.mkv", /flac/],
    ["clip.webm", /vp8/],
    ["clip.avi", /avi/],
    ["sound.mp3", /no video/]
  ] as const) {
    it.effect(`leaves ${name} to the transcoder`, () =>
      Effect.gen(function* () {
        const info = yield* (yield* Probe).probe(yield* (yield* Clips).clip(name))
        const verdict = browserPlayable(info)
        assert.match(verdict.playable ? "playable" : verdict.reason, reason)
        assert.deepInclude(yield* Effect.flip(remuxed(name)), { _tag: "UnsupportedMedia", reason: "codec" })
      })
    )
  }
})
