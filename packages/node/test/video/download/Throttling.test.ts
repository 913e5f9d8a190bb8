import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { send } from "../../instance/about/Client.ts"
import { plainClip } from "../upload/Clips.ts"
import { addVideo, putObject } from "../list/Videos.ts"
import { downloadNode, splitVideo } from "./DownloadNode.ts"

const mebibyte = 1024 ** 2

/** A video whose web file has so many bytes. */
const videoOf = Effect.fnUntraced(function* (bytes: number) {
  const video = yield* addVideo({ owner: "owner" })
  yield* putObject("web_videos", `${video.token}-720.mp4`, "x".repeat(bytes))
  return `/download/web-videos/${video.uuid}-720.mp4`
})

const seconds = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const began = performance.now()
  yield* effect
  return (performance.now() - began) / 1000
})

const twoOf = (path: string) =>
  Effect.gen(function* () {
    const answers = yield* Effect.all([send(path), send(path)], { concurrency: 2 })
    for (const { status, text } of answers) assert.deepStrictEqual([status, text.length], [200, mebibyte])
  })

layer(downloadNode({ download: { max_bytes_per_ip_per_second: mebibyte } }), { excludeTestServices: true })(
  "download.max_bytes_per_ip_per_second",
  (it) => {
    it.effect("is shared by all that one address downloads at a time", () =>
      Effect.gen(function* () {
        const path = yield* videoOf(mebibyte)
        const took = yield* seconds(twoOf(path))
        assert.isAtLeast(took, 1.6)
      })
    )

    it.effect("holds for what is put together and for ranges, and for no other files", () =>
      Effect.gen(function* () {
        const path = yield* videoOf(mebibyte)
        const part = yield* seconds(send(path, { headers: { range: "bytes=0-524287" } }))
        assert.isAtLeast(part, 0.3)
        const made = yield* splitVideo(plainClip(), "Slow")
        const generated = `/download/videos/generate/${made.uuid}?videoFileIds=${made.video}&videoFileIds=${made.audio}`
        const { status, text } = yield* send(generated)
        assert.strictEqual(status, 200)
        assert.isAbove(text.length, 1000)
        const file = (yield* send(`/api/v1/videos/${path.slice(21, 57)}`)).json.files[0]
        // Every download waits for one that takes a minute, and files that are played do not.
        const long = yield* Effect.forkChild(send(yield* videoOf(60 * mebibyte)))
        const waiting = yield* Effect.forkChild(send(path))
        yield* send(new URL(file.fileUrl).pathname)
        assert.isUndefined(long.pollUnsafe())
        assert.isUndefined(waiting.pollUnsafe())
        yield* Fiber.interruptAll([long, waiting])
      })
    )
  }
)

layer(downloadNode({ download: { max_total_bytes_per_second: mebibyte } }), { excludeTestServices: true })(
  "download.max_total_bytes_per_second",
  (it) => {
    it.effect("is shared by everybody", () =>
      Effect.gen(function* () {
        const path = yield* videoOf(mebibyte)
        const took = yield* seconds(twoOf(path))
        assert.isAtLeast(took, 1.6)
      })
    )
  }
)
