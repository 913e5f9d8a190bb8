import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ladder } from "@kinora/media/ladder/Ladder"
import { type CodecChoice, defaultCodecs } from "@kinora/media/ladder/VideoCodec"
import { Media } from "@kinora/media/Media"
import { Probe } from "@kinora/media/probe/Probe"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Transcode } from "@kinora/media/transcode/Transcode"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { join, resolve } from "node:path"
import { Browser, newPage, picture, pictureDistance, playback, visit, waitForVideo } from "../support/Browser.ts"
import { clipVideo, Media as ServedMedia, PlayerServer, webFiles } from "./support/PagesServer.ts"
import { World } from "./support/World.ts"

const root = resolve(import.meta.dirname, "../../../..")
execFileSync(process.execPath, [join(root, "scripts/fixtures/generate.ts"), "film.mp4"], { stdio: "ignore" })

const server = PlayerServer.pipe(
  Layer.provideMerge(Browser.layer),
  Layer.provideMerge(Media.layer.pipe(Layer.provide(NodeServices.layer)))
)

/** Puts a ladder of 144p and 72p where the server serves it, under names that begin with the codec's. */
const made = Effect.fnUntraced(function* (codec: CodecChoice["codec"], keepH264: boolean) {
  const source = join(root, ".cache/fixtures/film.mp4")
  const info = yield* (yield* Probe).probe(source)
  const how = { resolutions: [72], alwaysTranscodeOriginalResolution: true, maxFps: 60 }
  return yield* (yield* Transcode).transcode({
    source,
    info,
    renditions: ladder(info, how, { ...defaultCodecs, codec, keepH264 }),
    directory: (yield* ServedMedia).folder,
    names: fileNames(codec),
    hls: true,
    webVideo: true,
    splitAudio: false,
    storyboard: undefined
  })
})

/** Plays video `id` for some time; gives the height of the picture, which must move. */
const played = Effect.fnUntraced(function* (id: number) {
  const { origin } = yield* World
  const { page, problems } = yield* newPage()
  yield* visit(page, `${origin}/w/${id}`)
  yield* waitForVideo(page, "video.currentTime > 0.3 && !video.paused")
  const before = yield* picture(page)
  yield* waitForVideo(page, "video.currentTime > 1.5")
  assert.isAbove(pictureDistance(before, yield* picture(page)), 1)
  assert.deepStrictEqual(problems, [])
  return (yield* playback(page)).height
})

const playlists = (origin: string, codec: string) => [
  { ...clipVideo(origin, 0).streamingPlaylists[0]!, playlistUrl: `${origin}/static/${codec}-master.m3u8` }
]

layer(server, { excludeTestServices: true, timeout: "90 seconds" })("codecs in Chromium", (it) => {
  for (const [id, codec] of [
    [51, "av1"],
    [52, "vp9"]
  ] as const) {
    it.effect(`${codec} plays, as HLS and as a file`, () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        yield* made(codec, false)
        add(clipVideo(origin, id, { streamingPlaylists: playlists(origin, codec) }))
        assert.include([144, 72], yield* played(id))
        const [file] = webFiles(origin)
        const files = [{ ...file!, fileUrl: `${origin}/static/${codec}-144.mp4` }]
        add(clipVideo(origin, id + 10, { streamingPlaylists: [], files }))
        assert.strictEqual(yield* played(id + 10), 144)
      })
    )
  }

  it.effect("the rendition that stays H.264 plays where HEVC does not", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      yield* made("hevc", true)
      add(clipVideo(origin, 53, { streamingPlaylists: playlists(origin, "hevc") }))
      const { page } = yield* newPage()
      const type = `video/mp4; codecs="hvc1.1.6.L63.90"`
      const knows = yield* Effect.promise(() => page.evaluate<boolean>(`MediaSource.isTypeSupported('${type}')`))
      // 72p is HEVC: a browser that knows it may take either.
      assert.include(knows ? [144, 72] : [144], yield* played(53))
      const [file] = webFiles(origin)
      const files = [
        { ...file!, resolution: { id: 480, label: "480p" }, fileUrl: `${origin}/static/hevc-72.mp4` },
        { ...file!, resolution: { id: 240, label: "240p" }, fileUrl: `${origin}/static/hevc-144.mp4` }
      ]
      add(clipVideo(origin, 63, { streamingPlaylists: [], files }))
      assert.strictEqual(yield* played(63), knows ? 72 : 144)
    })
  )
})
