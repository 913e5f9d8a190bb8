import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { execFileSync } from "node:child_process"
import { join, resolve } from "node:path"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { filesAfterRemovals, outcome, upload, workOff } from "./Pipeline.ts"

const root = resolve(import.meta.dirname, "../../../../..")

/** Odd, but videos: each must come out playable. */
const accepted = [
  "anamorphic.mp4",
  "clip.avi",
  "clip.mkv",
  "clip.ts",
  "clip.webm",
  "cover.mp3",
  "fragmented.mp4",
  "hdr10.mp4",
  "interlaced.mp4",
  "odd.mp4",
  "portrait.mp4",
  "recorded.webm",
  "rotated.mp4",
  "short.mp4",
  "silent.mp4",
  "sixty.mp4",
  "sound.mp3",
  "tenbit.mp4",
  "vfr.mp4"
]

/** No videos, or none that anybody should decode: each is refused, and nothing of it stays. */
const refused = [
  "concat.mp4",
  "cover.png",
  "halfmoov.mp4",
  "magicyuv.avi",
  "manyframes.mp4",
  "manytracks.mp4",
  "noframes.mp4",
  "noise.mp4",
  "nomoov.mp4",
  "playlist.mp4",
  "text.mp4"
]

execFileSync(process.execPath, [join(root, "scripts/fixtures/generate.ts"), ...accepted, ...refused], {
  stdio: "ignore"
})
const fixture = (name: string) => join(root, ".cache/fixtures", name)

const settings = { processing: { alwaysTranscodeOriginalResolution: false, resolutions: [144] } }

layer(uploadNode(settings), { excludeTestServices: true, timeout: 120_000 })("odd clips", (it) => {
  it.effect(
    "come out playable",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("odd")
        const videos = yield* Effect.forEach(accepted, (name) =>
          Effect.map(Effect.orDie(upload(owner, fixture(name), { name })), (video) => ({ name, id: video.id }))
        )
        yield* workOff
        for (const { id, name } of videos) {
          const { hls, source, state, thumbnails, web } = yield* outcome(id)
          assert.deepStrictEqual({ state, thumbnails, source }, { state: 1, thumbnails: 2, source: null }, name)
          assert.include(hls, 144, name)
          assert.include(web, 144, name)
        }
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    180_000
  )

  it.effect(
    "are refused when they are no videos, and leave nothing",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("refuser")
        const before = yield* filesAfterRemovals
        for (const name of refused) {
          const result = yield* Effect.result(upload(owner, fixture(name), { name, filename: "clip.mp4" }))
          assert.isTrue(Result.isFailure(result), name)
          if (Result.isFailure(result))
            assert.include(["UnreadableMedia", "UnsupportedMediaFile"], result.failure._tag, name)
        }
        assert.deepStrictEqual(yield* filesAfterRemovals, before)
      }),
    60_000
  )

  it.effect(
    "are published or failed when they lie about themselves, but never left waiting",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("liar")
        const names = ["garbage.mp4", "lying.mp4", "halfdata.mp4"]
        execFileSync(process.execPath, [join(root, "scripts/fixtures/generate.ts"), ...names], { stdio: "ignore" })
        for (const name of names) {
          const result = yield* Effect.result(upload(owner, fixture(name), { name }))
          if (Result.isFailure(result)) {
            assert.include(["UnreadableMedia", "UnsupportedMediaFile"], result.failure._tag, name)
            continue
          }
          yield* workOff
          const { state } = yield* outcome(result.success.id)
          assert.include(name === "garbage.mp4" ? [7] : [1, 7], state, name)
        }
      }),
    60_000
  )
})
