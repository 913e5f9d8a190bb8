import { diskPath } from "../../../../storage/test/support/objects/DiskPath.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Media } from "@kinora/media/Media"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { copyFileSync } from "node:fs"
import sharp from "sharp"
import { FrameCapture } from "../../../src/video/edit/FrameCapture.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { SourceOf } from "../../../src/video/process/SourceOf.ts"
import { ask, Crew, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { loopbackFetching, testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { clip } from "../upload/Clips.ts"
import { addVideo } from "../list/Videos.ts"

const moments = FrameCapture.layer.pipe(
  Layer.provide(SourceOf.layer),
  Layer.provide(ProcessingVideos.layer),
  Layer.provide(Media.layer.pipe(Layer.provide(NodeServices.layer)))
)

const node = Crew.layer.pipe(
  Layer.provideMerge(layerServe(testRoutes, testOptions)),
  Layer.provideMerge(testServices({}, loopbackFetching, moments))
)

/** Two seconds of red, then two of blue. */
const redThenBlue = () => {
  const colour = (name: string) => ["-f", "lavfi", "-i", `color=${name}:size=320x180:rate=25:duration=2`]
  const joined = ["-filter_complex", "[0][1]concat", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
  return clip("red-then-blue.mp4", [...colour("red"), ...colour("blue"), ...joined, "-g", "500"])
}

const withSource = Effect.gen(function* () {
  const sql = yield* SqlClient
  const video = yield* addVideo({ owner: "owner" })
  const filename = `${video.uuid}.mp4`
  const copy = `${redThenBlue()}.${video.uuid}`
  copyFileSync(redThenBlue(), copy)
  yield* (yield* ObjectStore).put({ bucket: "original_video_files", name: filename }, copy)
  yield* sql`
    insert into video_source (video_id, input_filename, filename, size) values (${video.id}, 'a.mp4', ${filename}, 1)`
  return video
})

const colourOf = Effect.fnUntraced(function* (path: string) {
  const file = yield* diskPath(yield* ObjectStore, { bucket: "thumbnails", name: path.split("/").pop()! })
  const { channels } = yield* Effect.promise(() => sharp(file).stats())
  return channels.map(({ mean }) => (mean > 128 ? 1 : 0)).join("")
})

const picturesOf = Effect.fnUntraced(function* (uuid: string) {
  const { json } = yield* ask("owner", "GET", `/videos/${uuid}`)
  return [yield* colourOf(json.thumbnailPath), yield* colourOf(json.previewPath)]
})

layer(node, { excludeTestServices: true, timeout: 60_000 })("thumbnails from a second of the video", (it) => {
  it.effect("are what is on screen then, exactly, also behind a keyframe", () =>
    Effect.gen(function* () {
      const { uuid } = yield* withSource
      const put = (thumbnailTimecode: unknown) => ask("owner", "PUT", `/videos/${uuid}`, { thumbnailTimecode })
      assert.strictEqual((yield* put(3)).status, 204)
      assert.deepStrictEqual(yield* picturesOf(uuid), ["001", "001"])
      assert.strictEqual((yield* put("1")).status, 204)
      assert.deepStrictEqual(yield* picturesOf(uuid), ["100", "100"])
      // The very end lies behind the last picture.
      assert.strictEqual((yield* put(4)).status, 204)
      const { json } = yield* ask("owner", "GET", `/videos/${uuid}`)
      assert.strictEqual((yield* send(json.previewPath)).status, 200)
    })
  )

  it.effect("are refused behind the end, of nothing, and of nonsense", () =>
    Effect.gen(function* () {
      const { uuid } = yield* withSource
      const before = yield* ask("owner", "GET", `/videos/${uuid}`)
      for (const wrong of [5, -1, 1.5, "soon", 1e20]) {
        const answer = yield* ask("owner", "PUT", `/videos/${uuid}`, { thumbnailTimecode: wrong })
        assert.deepStrictEqual(refused(answer), ["thumbnailTimecode"], String(wrong))
      }
      const after = yield* ask("owner", "GET", `/videos/${uuid}`)
      assert.strictEqual(after.json.previewPath, before.json.previewPath)
    })
  )
})
