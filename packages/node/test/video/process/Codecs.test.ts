import { assert, layer } from "@effect/vitest"
import { defaultCodecs } from "@kinora/media/ladder/VideoCodec"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { plainClip } from "../upload/Clips.ts"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { narrowFfmpeg } from "../../support/NarrowFfmpeg.ts"
import { upload, workOff } from "./Pipeline.ts"

const settings = {
  processing: {
    alwaysTranscodeOriginalResolution: false,
    resolutions: [144, 96],
    storyboards: false,
    codecs: { ...defaultCodecs, codec: "av1" as const }
  }
}

/** Resolution and codec of every file, as clients are told. */
const codecsOf = Effect.fnUntraced(function* (name: string) {
  const owner = yield* newUser(name)
  const { id } = yield* upload(owner, plainClip())
  yield* workOff
  const sql = yield* SqlClient
  const rows = yield* sql<{ line: string }>`
    select f.resolution || ' ' || coalesce(metadata #>> '{streams,0,codec_name}', '') as line from video_file f
    left join streaming_playlist p on p.id = f.streaming_playlist_id
    where coalesce(f.video_id, p.video_id) = ${id} order by 1`
  return rows.map(({ line }) => line)
})

layer(uploadNode(settings), { excludeTestServices: true, timeout: 60_000 })("another codec", (it) => {
  it.effect("is what renditions are in, but for one that plays everywhere", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* codecsOf("av"), ["144 h264", "144 h264", "96 av1", "96 av1"])
    })
  )
})

const narrow = Layer.effect(
  MediaSettings,
  Effect.map(narrowFfmpeg("libsvtav1"), (ffmpegPath) => ({ ...defaultMediaSettings, ffmpegPath }))
)

layer(uploadNode(settings).pipe(Layer.provide(narrow)), { excludeTestServices: true, timeout: 60_000 })(
  "a codec that ffmpeg has no encoder of",
  (it) => {
    it.effect("leaves renditions in H.264", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* codecsOf("noav"), ["144 h264", "144 h264", "96 h264", "96 h264"])
      })
    )
  }
)
