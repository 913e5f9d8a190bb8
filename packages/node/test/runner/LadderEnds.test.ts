import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { transcodingType } from "../../src/video/process/ProcessingJobs.ts"
import { RunnerJobs } from "../../src/runner/job/RunnerJobs.ts"
import { RunnerResults } from "../../src/runner/job/RunnerResults.ts"
import { bearer, send } from "../instance/about/Client.ts"
import { outcome, upload, workOff } from "../video/process/Pipeline.ts"
import { sourceNode } from "../video/source/SourceNode.ts"
import { oddClip } from "../video/upload/Clips.ts"
import { newUser } from "../video/upload/UploadNode.ts"
import { doJob, type Offer, succeed } from "./Encoder.ts"
import {
  boardState,
  film,
  giveUp,
  jobs,
  newRunner,
  offersOf,
  reaches,
  resultsLeft,
  root,
  workUntil
} from "./Ladders.ts"
import { accept, post } from "./Runners.ts"

const notHeld = [400, "runner_job_not_in_processing_state"]
const codeOf = ({ json, status }: { readonly status: number; readonly json: { readonly code?: string } }) => [
  status,
  json.code
]

/** A video whose runner jobs wait: the storyboard, then the renditions from the highest. */
const given = Effect.fnUntraced(function* (name: string, path: string) {
  const owner = yield* newUser(name)
  const runner = yield* newRunner(name)
  const video = yield* upload(owner, path)
  yield* workUntil(reaches(video.id, "waiting-children"))
  return {
    video,
    runner,
    offered: (yield* offersOf(runner, video)) as ReadonlyArray<Offer> as readonly [Offer, Offer, Offer]
  }
})

const statesOf = (offered: ReadonlyArray<Offer>) =>
  Effect.map(jobs, (all) => offered.map(({ uuid }) => all.find((one) => one.uuid === uuid)?.state.id))

layer(sourceNode({ processing: { remoteRunners: true } }), { excludeTestServices: true, timeout: 180_000 })(
  "A ladder of runners that does not end as it began",
  (it) => {
    it.effect("a rendition that fails for good ends the others, and the video fails with its words", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("failing", oddClip())
        const [, high, low] = offered
        const silent = yield* accept(low.uuid, runner)
        const sql = yield* SqlClient
        yield* sql`update runner_job set lease_until = now() - interval '1 second' where uuid = ${low.uuid}::uuid`
        yield* (yield* RunnerJobs).takeBack
        assert.deepStrictEqual(codeOf(yield* succeed(low.uuid, silent, film())), notHeld)
        const held = yield* accept(low.uuid, runner)
        for (let n = 0; n < 5; n++) {
          const tokens = yield* accept(high.uuid, runner)
          yield* post(`/jobs/${high.uuid}/error`, { ...tokens, message: "no encoder" })
        }
        // The storyboard stands apart.
        assert.deepStrictEqual(yield* statesOf(offered), [1, 4, 6])
        assert.deepStrictEqual(codeOf(yield* succeed(low.uuid, held, film())), notHeld)
        yield* workUntil(reaches(video.id, "failed"))
        assert.strictEqual((yield* outcome(video.id)).state, 7)
        const failed = (yield* send("/api/v1/jobs/failed", bearer(yield* root))).json.data[0]
        assert.include(failed.error.message, "no encoder")
        assert.deepStrictEqual(yield* resultsLeft, [])
        assert.isTrue(Option.isNone(yield* (yield* JobBoard).claim([transcodingType], "test", "1 minute")))
        yield* giveUp(video.id)
      })
    )

    it.effect("one that is begun anew by force is given out anew, and the old one is not worked on", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("forced", oddClip())
        const [, high, low] = offered
        const held = yield* accept(low.uuid, runner)
        assert.strictEqual((yield* succeed(high.uuid, yield* accept(high.uuid, runner), film())).status, 204)
        const order = (forceTranscoding: boolean) =>
          Effect.flatMap(root, (token) =>
            send(`/api/v1/videos/${video.uuid}/transcoding`, {
              method: "POST",
              headers: { ...bearer(token).headers, "content-type": "application/json" },
              body: JSON.stringify({ transcodingType: "hls", forceTranscoding })
            })
          )
        assert.strictEqual((yield* order(false)).status, 409)
        assert.strictEqual((yield* order(true)).status, 204)
        assert.deepStrictEqual(yield* statesOf(offered), [1, 3, 6])
        assert.deepStrictEqual(codeOf(yield* succeed(low.uuid, held, film())), notHeld)
        yield* (yield* RunnerResults).sweep
        assert.deepStrictEqual(yield* resultsLeft, [])

        yield* workUntil(reaches(video.id, "waiting-children"))
        const anew = yield* offersOf(runner, video)
        assert.deepStrictEqual(
          anew.map(({ type }) => type),
          offered.map(({ type }) => type)
        )
        assert.strictEqual(anew[0]?.uuid, offered[0].uuid)
        for (const one of anew) assert.strictEqual((yield* doJob(one, runner)).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        assert.deepInclude(yield* outcome(video.id), { state: 1, web: [], hls: [144, 242] })
      })
    )

    it.effect("results of a source that was replaced are not used", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("outdated", oddClip())
        const [, high, low] = offered
        for (const { uuid } of [high, low]) {
          assert.strictEqual((yield* succeed(uuid, yield* accept(uuid, runner), film())).status, 204)
        }
        const filename = `${randomUUID()}.mp4`
        const sql = yield* SqlClient
        const [old] = yield* sql<{
          name: string
        }>`select filename as name from video_source where video_id = ${video.id}`
        const bucket = "original_video_files"
        yield* (yield* ObjectStore).copy({ bucket, name: old!.name }, { bucket, name: filename })
        yield* sql`update video_source set filename = ${filename} where video_id = ${video.id}`
        assert.strictEqual(yield* boardState(video.id), "waiting")
        yield* workUntil(reaches(video.id, "waiting-children"))
        const anew = yield* offersOf(runner, video)
        assert.deepStrictEqual(
          anew.flatMap(({ payload }) => payload.output.resolution ?? []),
          [242, 144]
        )
        assert.deepStrictEqual(yield* resultsLeft, [])
        assert.strictEqual((yield* outcome(video.id)).state, 2)
        yield* giveUp(video.id)
      })
    )

    it.effect("when runners are switched off, this node does what they were to do", () =>
      Effect.gen(function* () {
        const { offered, runner, video } = yield* given("recalled", oddClip())
        assert.strictEqual(yield* (yield* RunnerLadders).recall, 2)
        assert.strictEqual((yield* post(`/jobs/${offered[1].uuid}/accept`, { runnerToken: runner })).status, 404)
        yield* workOff
        assert.strictEqual(yield* boardState(video.id), "completed")
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 242] })
      })
    )
  }
)
