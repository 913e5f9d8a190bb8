import { assert, layer } from "@effect/vitest"
import { layer as diskObjectStore } from "@kinora/storage/platform/objects/DiskObjectStore"
import { type Bucket, buckets } from "@kinora/storage/platform/objects/ObjectKey"
import { RunnerResultObjects } from "@kinora/storage/runner/RunnerResultObjects"
import { Context, Duration, Effect, Layer } from "effect"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TestDatabase } from "../../../storage/test/support/TestDatabase.ts"
import { RunnerResults } from "../../src/runner/job/RunnerResults.ts"
import { runnerJobRows } from "../../src/runner/RunnerServices.ts"
import { uploadLimits, UploadSettings } from "../../src/video/staging/UploadSettings.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-results-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** The objects that nodes have in common. */
const shared = Layer.unwrap(
  Effect.map(temporary, (folder) =>
    diskObjectStore({
      directories: Object.fromEntries(buckets.map((one) => [one, join(folder, one)])) as Record<Bucket, string>
    })
  )
)

/** A node with a folder of its own. */
const node = Effect.gen(function* () {
  const directory = yield* temporary
  const settings = Layer.succeed(UploadSettings, {
    ...uploadLimits,
    ...{ directory, reserveDisk: 0, stagesObjects: true, maxFileSize: -1, expiration: Duration.hours(1) },
    ...{ holder: { node: "test", run: "1" }, origin: "https://tube.example", host: "tube.example" },
    ...{ transcoding: true, additionalExtensions: false, audioFiles: false, reviewsNewVideos: false },
    defaults: { privacy: 1, licence: null, commentsPolicy: 1, downloadEnabled: true }
  })
  const built = yield* Layer.build(Layer.fresh(RunnerResults.layer).pipe(Layer.provide(settings)))
  return { directory, results: Context.get(built, RunnerResults) }
})

const film = Buffer.from("\0\0\0\u0018ftypisom and the rest of a film")

layer(Layer.mergeAll(shared, RunnerResultObjects.layer, runnerJobRows).pipe(Layer.provideMerge(TestDatabase)))(
  "results of runners at nodes that share object storage alone",
  (it) => {
    it.effect("are put into use by another node than the one that received them", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* node, yield* node]
        const result = yield* Effect.scoped(
          Effect.gen(function* () {
            const arriving = yield* one.results.begin("vod-web-video-transcoding")
            const sink = yield* arriving.file("payload[videoFile]")
            yield* sink.write(film)
            yield* sink.end
            return yield* arriving.finish
          })
        )
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(one.directory, "runner-results"))), [])
        const path = yield* other.results.file(result, "video.mp4", other.directory)
        assert.deepStrictEqual(yield* Effect.promise(() => readFile(path)), film)
        yield* other.results.remove(result)
      })
    )
  }
)
