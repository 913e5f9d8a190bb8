import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { StepObserver } from "../../../src/video/process/Steps.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { outcome, runDoomed, upload, workOff } from "../process/Pipeline.ts"
import { oddClip, plainClip } from "../upload/Clips.ts"
import { newUser, type TestUser } from "../upload/UploadNode.ts"
import { sourceNode } from "./SourceNode.ts"

const timeout = 120_000

const processing = (token: string, uuid: string) => send(`/api/v1/videos/${uuid}/processing`, bearer(token))
const retry = (token: string, uuid: string) =>
  send(`/api/v1/videos/${uuid}/processing/retry`, { method: "POST", ...bearer(token) })

/** The next encode ends its node each time until its attempts are used up. */
const crashUntilGivenUp = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const upkeep = yield* JobUpkeep
  const board = yield* JobBoard
  const job = Option.getOrThrow(yield* board.claim([transcodingType], "test", "1 minute"))
  assert.strictEqual(job.videoId, videoId)
  yield* sql`update job set attempts = max_attempts, lease_until = now() - interval '1 second' where id = ${job.id}`
  yield* upkeep.expireLeases()
})

layer(sourceNode({}), { excludeTestServices: true, timeout })("what failed of a video's files", (it) => {
  it.effect(
    "is shown to its owner and to administrators, and tried again by one request",
    () =>
      Effect.gen(function* () {
        const root = (yield* login("root", rootPassword)).access_token
        const [owner, other] = [yield* newUser("unlucky"), yield* newUser("curious")]
        const video = yield* upload(owner, plainClip())
        yield* runDoomed(publishType)
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, {
          state: "waiting",
          jobType: transcodingType,
          error: null,
          attempts: 0
        })
        yield* crashUntilGivenUp(video.id)
        // What it has is published, and nobody but its owner would notice that the rest is missing.
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [240] })
        for (const token of [owner.token, root]) {
          const { json } = yield* processing(token, video.uuid)
          assert.deepInclude(json, { state: "failed", jobType: transcodingType, attempts: 12, maxAttempts: 12 })
          assert.include(json.error, "stopped reporting in attempt 12 of 12")
        }
        const failed = yield* send("/api/v1/jobs/failed", bearer(root))
        assert.deepInclude(failed.json.data[0], { type: transcodingType, state: "failed" })
        for (const ask of [processing, retry]) {
          assert.strictEqual((yield* ask(other.token, video.uuid)).status, 403)
          assert.strictEqual((yield* ask(owner.token, "999999")).status, 404)
        }
        assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}/processing`)).status, 401)

        // It stays known until something came of it.
        const upkeep = yield* JobUpkeep
        yield* upkeep.removeEnded(0)
        assert.strictEqual((yield* processing(owner.token, video.uuid)).json.state, "failed")

        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 204)
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, { state: "waiting", attempts: 0 })
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 409)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 240], web: [144, 240], storyboards: 1 })
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, { state: "done", error: null })
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 409)
      }),
    timeout
  )

  const failOnce = Effect.fnUntraced(function* (owner: TestUser, message: string, final: boolean) {
    const publication = yield* VideoPublication
    const board = yield* JobBoard
    const video = yield* upload(owner, oddClip())
    const job = Option.getOrThrow(yield* board.claim([publishType], "test", "1 minute"))
    yield* publication.fail(video.id, job.lease, message, final)
    return video
  })

  it.effect(
    "waits for its next attempt, which may be now, when the machine was to blame",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("patient")
        const video = yield* failOnce(owner, "ffmpeg: /srv/kinora/tmp/x/out.mp4: No space left on device", false)
        const { json } = yield* processing(owner.token, video.uuid)
        assert.deepInclude(json, { state: "delayed", jobType: publishType, attempts: 1 })
        assert.strictEqual(json.error, "ffmpeg: out.mp4: No space left on device")
        assert.isAbove(Date.parse(json.nextAttemptAt), 0)
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 204)
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, { state: "waiting", nextAttemptAt: null })
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1, web: [144, 242] })
      }),
    timeout
  )

  it.effect(
    "waits for its next attempt, which may be now, when it ended its node twice",
    () =>
      Effect.gen(function* () {
        const [board, upkeep] = [yield* JobBoard, yield* JobUpkeep]
        const owner = yield* newUser("heavy")
        const video = yield* upload(owner, plainClip())
        yield* runDoomed(publishType)
        for (const state of ["waiting", "delayed"]) {
          yield* board.claim([transcodingType], "a node that dies", "1 minute")
          yield* upkeep.expireLeases("a node that dies")
          assert.strictEqual((yield* processing(owner.token, video.uuid)).json.state, state)
        }
        const { json } = yield* processing(owner.token, video.uuid)
        assert.include(json.error, "stopped reporting in attempt 2 of 12")
        assert.isAbove(Date.parse(json.nextAttemptAt), 0)
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 204)
        yield* workOff
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, { state: "done", error: null })
      }),
    timeout
  )

  it.effect(
    "is tried again from where it failed, also when nobody knows any more why it did",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("late")
        const video = yield* failOnce(owner, "The file is damaged", true)
        assert.deepInclude(yield* outcome(video.id), { state: 7, thumbnails: 0 })
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, {
          state: "failed",
          error: "The file is damaged"
        })
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 204)
        assert.strictEqual((yield* outcome(video.id)).state, 2)
        const crash = () => Effect.die(new Error("killed"))
        yield* runDoomed(publishType).pipe(Effect.provideService(StepObserver, crash))
        yield* sql`delete from job where video_id = ${video.id}`
        yield* (yield* VideoPublication).settleAbandoned
        assert.deepInclude((yield* processing(owner.token, video.uuid)).json, { state: "failed", error: null })
        assert.strictEqual((yield* retry(owner.token, video.uuid)).status, 204)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1, web: [144, 242] })
      }),
    timeout
  )
})
