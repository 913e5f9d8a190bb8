import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { KinoraConfig } from "../../src/config/Config.ts"
import { publishType, transcodingType } from "../../src/processing/ProcessingJobs.ts"
import { PublishVideo } from "../../src/processing/PublishVideo.ts"
import { WorkerPool } from "../../src/processing/WorkerPool.ts"
import { RunnerJobs } from "../../src/runners/RunnerJobs.ts"
import { RemoteLadder } from "../../src/runners/RemoteLadder.ts"
import { bearer, login, send } from "../instance/Client.ts"
import { rootPassword } from "../instance/TestNode.ts"
import { filesAfterRemovals, outcome, upload } from "../processing/Pipeline.ts"
import { sourceNode } from "../source/SourceNode.ts"
import { oddClip, plainClip, soundClip } from "../uploads/Clips.ts"
import { newUser } from "../uploads/UploadNode.ts"
import { doJob, type Offer, offers, resultFile, succeed } from "./Encoder.ts"
import { accept, post } from "./Runners.ts"

const root = Effect.map(login("root", rootPassword), (it) => it.access_token)

const newRunner = Effect.fnUntraced(function* (name: string) {
  const token = yield* root
  const path = "/api/v1/runners/registration-tokens"
  yield* send(`${path}/generate`, { method: "POST", ...bearer(token) })
  const { registrationToken } = (yield* send(path, bearer(token))).json.data[0]
  const { json } = yield* post("/register", { name, registrationToken })
  return json.runnerToken as string
})

interface ListedJob {
  readonly uuid: string
  readonly state: { readonly id: number; readonly label: string }
  readonly failures: number
  readonly error: string | null
}

const jobs = Effect.map(
  Effect.flatMap(root, (token) => send("/api/v1/runners/jobs?count=100&sort=createdAt", bearer(token))),
  ({ json }) => json.data as ReadonlyArray<ListedJob>
)

/** Folders of results, finished and arriving. */
const resultsLeft = Effect.flatMap(KinoraConfig, ({ storage }) =>
  Effect.promise(() => readdir(`${storage.tmp_persistent}/runner-results`))
)

/** Lets workers go on until the condition holds. */
const workUntil = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    const pool = yield* WorkerPool
    const publish = yield* PublishVideo
    const remote = yield* RemoteLadder
    yield* Effect.raceAll([
      pool.listen,
      pool.worker([publishType], publish.run),
      pool.worker([transcodingType], remote.run),
      Effect.repeat(condition, {
        until: (met: boolean) => met,
        schedule: Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(600)])
      })
    ])
  })

const boardState = (videoId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ state: string }>`
      select state from job where video_id = ${videoId} and type = ${transcodingType} order by id desc limit 1`
    return rows[0]?.state
  })

const reaches = (videoId: number, state: string) => Effect.map(boardState(videoId), (is) => is === state)

layer(sourceNode({ processing: { remoteRunners: true } }), { excludeTestServices: true, timeout: 180_000 })(
  "A ladder made by runners",
  (it) => {
    it.effect(
      "is given out, handed in and published, and what is of no use is given out again",
      () =>
        Effect.gen(function* () {
          const owner = yield* newUser("remote")
          const one = yield* newRunner("one")
          const two = yield* newRunner("two")
          const video = yield* upload(owner, oddClip())
          yield* workUntil(reaches(video.id, "waiting-children"))
          const offered = yield* offers(one)
          assert.deepStrictEqual(
            offered.map(({ payload, type }) => [type, payload.output.resolution]),
            [
              ["generate-video-storyboard", undefined],
              ["vod-hls-transcoding", 242],
              ["vod-hls-transcoding", 144]
            ]
          )
          const [sheet, other, tried] = offered as [Offer, Offer, Offer]
          const files = `http://localhost:9000/api/v1/runners/jobs/${tried.uuid}/files/videos/${video.uuid}`
          assert.deepStrictEqual<unknown>(tried.payload, {
            input: { videoFileUrl: `${files}/max-quality`, separatedAudioFileUrl: [] },
            output: { resolution: 144, fps: 25, separatedAudio: false }
          })

          const tokens = yield* accept(tried.uuid, one)
          const clip = readFileSync(plainClip())
          const playlist = resultFile("resolutionPlaylistFile", "#EXTM3U\nhttp://127.0.0.1/elsewhere.mp4\n")
          for (const [parts, status, field] of [
            [[resultFile("videoFile", "no film at all"), playlist], 400, "payload[videoFile]"],
            [[resultFile("videoFile", clip)], 400, "payload[resolutionPlaylistFile]"],
            [[resultFile("storyboardFile", clip)], 400, "payload[storyboardFile]"],
            [[resultFile("videoFile", clip), resultFile("videoFile", clip), playlist], 400, "payload[videoFile]"],
            [[], 400, "payload[videoFile]"]
          ] as const) {
            const refused = yield* succeed(tried.uuid, tokens, parts)
            assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [status, [field]])
          }
          const good = [resultFile("videoFile", clip), playlist]
          assert.strictEqual((yield* succeed(tried.uuid, { ...tokens, runnerToken: two }, good)).status, 404)
          assert.strictEqual((yield* succeed(other.uuid, tokens, good)).status, 404)
          assert.strictEqual((yield* succeed(tried.uuid, { ...tokens, jobToken: "" }, good)).status, 400)
          assert.strictEqual((yield* post(`/jobs/${tried.uuid}/success`, { ...tokens })).status, 415)
          assert.deepInclude(
            (yield* jobs).find(({ uuid }) => uuid === tried.uuid),
            { state: { id: 2, label: "Processing" }, failures: 0 }
          )

          // A film, but not the one that was asked for.
          assert.strictEqual((yield* succeed(tried.uuid, tokens, good)).status, 204)
          const again = yield* succeed(tried.uuid, tokens, good)
          assert.deepStrictEqual([again.status, again.json.code], [400, "runner_job_not_in_processing_state"])
          assert.strictEqual((yield* post(`/jobs/${tried.uuid}/update`, { ...tokens })).status, 204)
          assert.strictEqual((yield* doJob(other, two)).status, 204)
          assert.strictEqual(yield* boardState(video.id), "waiting-children")
          assert.strictEqual((yield* doJob(sheet, one)).status, 204)
          yield* workUntil(Effect.map(offers(one), (left) => left.length === 1))
          const returned = (yield* jobs).find(({ uuid }) => uuid === tried.uuid)!
          assert.deepInclude(returned, { failures: 1, state: { id: 1, label: "Pending" } })
          assert.include(returned.error ?? "", "144p")
          assert.strictEqual((yield* outcome(video.id)).state, 2)

          assert.strictEqual((yield* doJob(tried, two)).status, 204)
          yield* workUntil(reaches(video.id, "completed"))
          const made = yield* outcome(video.id)
          assert.deepInclude(made, { state: 1, thumbnails: 2, storyboards: 1, source: null })
          assert.deepStrictEqual(
            [made.web, made.hls],
            [
              [144, 242],
              [144, 242]
            ]
          )
          const told = (yield* send(`/api/v1/videos/${video.uuid}`)).json
          assert.strictEqual(told.streamingPlaylists[0].files.length, 2)
          const path = new URL(told.streamingPlaylists[0].playlistUrl).pathname
          assert.include((yield* send(path)).text, "#EXT-X-STREAM-INF")
          assert.deepStrictEqual(yield* resultsLeft, [])
          const { expected, present } = yield* filesAfterRemovals
          assert.deepStrictEqual(present, expected)
          assert.isTrue((yield* jobs).every(({ state }) => state.id === 3))
        }),
      90_000
    )

    it.effect("of a sound is a video of its picture", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("sounds")
        const runner = yield* newRunner("three")
        const video = yield* upload(owner, soundClip())
        yield* workUntil(reaches(video.id, "waiting-children"))
        const offered = yield* offers(runner)
        assert.deepStrictEqual(
          offered.map(({ type }) => type),
          ["vod-audio-merge-transcoding"]
        )
        assert.strictEqual((yield* doJob(offered[0]!, runner)).status, 204)
        yield* workUntil(reaches(video.id, "completed"))
        const made = yield* outcome(video.id)
        assert.strictEqual(made.state, 1)
        assert.includeMembers([...made.hls], [0])
      })
    )

    it.effect("that fails for good leaves the video failed, and one that is cancelled is not worked on", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("failing")
        const runner = yield* newRunner("four")
        const video = yield* upload(owner, oddClip())
        yield* workUntil(reaches(video.id, "waiting-children"))
        const [, high, low] = yield* offers(runner)
        for (let n = 0; n < 5; n++) {
          const tokens = yield* accept(high!.uuid, runner)
          yield* post(`/jobs/${high!.uuid}/error`, { ...tokens, message: "no encoder" })
        }
        const token = yield* root
        const silent = yield* accept(low!.uuid, runner)
        const sql = yield* SqlClient
        yield* sql`update runner_job set lease_until = now() - interval '1 second' where uuid = ${low!.uuid}::uuid`
        yield* (yield* RunnerJobs).takeBack
        const film = [
          resultFile("videoFile", readFileSync(plainClip())),
          resultFile("resolutionPlaylistFile", "#EXTM3U")
        ]
        const tooLate = yield* succeed(low!.uuid, silent, film)
        assert.deepStrictEqual([tooLate.status, tooLate.json.code], [400, "runner_job_not_in_processing_state"])
        const held = yield* accept(low!.uuid, runner)
        yield* send(`/api/v1/runners/jobs/${low!.uuid}/cancel`, { method: "POST", ...bearer(token) })
        const late = yield* succeed(low!.uuid, held, film)
        assert.deepStrictEqual([late.status, late.json.code], [400, "runner_job_not_in_processing_state"])
        const [sheet] = yield* offers(runner)
        yield* doJob(sheet!, runner)
        yield* workUntil(reaches(video.id, "failed"))
        assert.strictEqual((yield* outcome(video.id)).state, 7)
        const failed = (yield* send("/api/v1/jobs/failed", bearer(token))).json.data[0]
        assert.include(failed.error.message, "no encoder")
        assert.deepStrictEqual(yield* resultsLeft, [])
        assert.isTrue(Option.isNone(yield* (yield* JobBoard).claim([transcodingType], "test", "1 minute")))
      })
    )
  }
)
