import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { StepObserver } from "../../../src/video/process/Steps.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { filesAfterRemovals, outcome, runDoomed, upload, workOff } from "../process/Pipeline.ts"
import { oddClip, plainClip } from "../upload/Clips.ts"
import { newUser } from "../upload/UploadNode.ts"
import { filesOf, promote, replaceBy, sourceNode } from "./SourceNode.ts"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"

const order = (token: string, id: number | string, body: unknown) =>
  send(`/api/v1/videos/${id}/transcoding`, {
    method: "POST",
    headers: { ...bearer(token).headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const hls = { transcodingType: "hls" }
const web = { transcodingType: "web-video" }

const administrator = Effect.map(login("root", rootPassword), (it) => it.access_token)

const remove = (token: string, path: string) => send(`/api/v1${path}`, { method: "DELETE", ...bearer(token) })

const jobsOf = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  return yield* sql<{
    type: string
    state: string
  }>`select type, state from job where video_id = ${videoId} order by id`
})

/** Milliseconds for one test: encodes on a busy machine. */
const patience = 120_000

layer(sourceNode({}), { excludeTestServices: true, timeout: patience })("renditions made anew", (it) => {
  it.effect(
    "take the place of those of their kind, at once and no others",
    () =>
      Effect.gen(function* () {
        const root = yield* administrator
        const owner = yield* newUser("again")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const before = yield* filesOf(owner, video.uuid)
        const storyboard = (yield* send(`/api/v1/videos/${video.uuid}/storyboards`)).text
        assert.strictEqual((yield* order(root, video.uuid, hls)).status, 204)
        const again = yield* order(root, video.uuid, hls)
        assert.deepStrictEqual([again.status, again.json.code], [409, "video_already_being_transcoded"])
        const jobs = yield* send("/api/v1/jobs/waiting", bearer(root))
        assert.deepInclude(jobs.json.data[0], { type: "video-transcoding", data: { videoId: video.id, only: "hls" } })
        const crash = () => Effect.die(new Error("killed"))
        const dead = yield* runDoomed(transcodingType).pipe(Effect.provideService(StepObserver, crash))
        assert.isTrue(Exit.isFailure(dead))
        const meanwhile = yield* filesOf(owner, video.uuid)
        assert.deepStrictEqual([meanwhile.details.state.id, meanwhile.hls], [1, before.hls])

        // What is under way is given up for it.
        assert.strictEqual((yield* order(root, video.uuid, { ...hls, forceTranscoding: true })).status, 204)
        assert.deepStrictEqual((yield* jobsOf(video.id)).slice(2), [
          { type: transcodingType, state: "cancelled" },
          { type: transcodingType, state: "waiting" }
        ])
        yield* workOff
        const after = yield* filesOf(owner, video.uuid)
        assert.deepStrictEqual(after.web, before.web)
        assert.lengthOf(after.hls, before.hls.length)
        for (const path of after.hls) {
          assert.notInclude(before.hls, path)
          assert.strictEqual((yield* send(path)).status, 200)
        }
        assert.strictEqual(after.details.publishedAt, before.details.publishedAt)
        assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}/storyboards`)).text, storyboard)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )

  it.effect(
    "restore what was deleted",
    () =>
      Effect.gen(function* () {
        const root = yield* administrator
        const owner = yield* newUser("restorer")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const { details } = yield* filesOf(owner, video.uuid)
        const [playlist] = details.streamingPlaylists
        const small = playlist.files.find((file: { resolution: { id: number } }) => file.resolution.id === 144)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/hls/${small.id}`)).status, 204)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/web-videos`)).status, 204)
        assert.deepInclude(yield* outcome(video.id), { hls: [240], web: [] })
        assert.strictEqual((yield* order(root, video.uuid, hls)).status, 204)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { hls: [144, 240], web: [] })
        assert.strictEqual((yield* order(root, video.uuid, web)).status, 204)
        yield* workOff
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/hls`)).status, 204)
        assert.deepInclude(yield* outcome(video.id), { hls: [], web: [144, 240], state: 1 })
        assert.strictEqual((yield* order(root, video.uuid, hls)).status, 204)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { hls: [144, 240], web: [144, 240], state: 1, storyboards: 1 })
        const { json } = yield* send(`/api/v1/videos/${video.uuid}`)
        for (const { id } of json.streamingPlaylists[0].files) {
          assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/hls/${id}`)).status, 204)
        }
        assert.deepInclude(yield* outcome(video.id), { hls: [], web: [144, 240], state: 1 })
        const [first, last] = json.files as ReadonlyArray<{ readonly id: number }>
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/web-videos/${first!.id}`)).status, 204)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/web-videos/${last!.id}`)).status, 400)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )

  it.effect(
    "publish a video whose transcoding had failed",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const publication = yield* VideoPublication
        const root = yield* administrator
        const owner = yield* newUser("phoenix")
        const video = yield* upload(owner, oddClip())
        yield* runDoomed(publishType)
        yield* sql`update job set state = 'failed' where video_id = ${video.id} and state = 'waiting'`
        yield* publication.settleAbandoned
        assert.strictEqual((yield* outcome(video.id)).state, 7)
        assert.strictEqual((yield* order(root, video.uuid, web)).status, 204)
        assert.strictEqual((yield* outcome(video.id)).state, 2)
        yield* workOff
        const done = yield* outcome(video.id)
        assert.deepInclude(done, { state: 1, web: [144, 242], hls: [], storyboards: 1 })
      }),
    patience
  )

  it.effect(
    "are refused where there is nothing to make them from, and to who may not ask",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const root = yield* administrator
        const [owner, moderator] = [yield* newUser("plain"), yield* newUser("moderator")]
        yield* promote(moderator, 1)
        const video = yield* upload(owner, plainClip())
        const early = yield* order(root, video.uuid, { ...hls, forceTranscoding: true })
        assert.strictEqual(early.status, 409, "the first look is never given up")
        const busy = yield* remove(root, `/videos/${video.uuid}/source/file`)
        assert.deepStrictEqual([busy.status, busy.json.code], [409, "video_already_being_transcoded"])
        yield* workOff
        for (const who of [owner, moderator]) assert.strictEqual((yield* order(who.token, video.uuid, hls)).status, 403)
        assert.strictEqual((yield* order(root, 999_999, hls)).status, 404)
        const wrong = yield* order(root, video.uuid, { transcodingType: "dash", forceTranscoding: "maybe" })
        assert.deepStrictEqual(
          [wrong.status, Object.keys(wrong.json["invalid-params"]).toSorted()],
          [400, ["forceTranscoding", "transcodingType"]]
        )
        for (const set of [sql`is_live = true`, sql`state = 3`, sql`remote = true`]) {
          yield* sql`update video set ${set} where id = ${video.id}`
          assert.strictEqual((yield* order(root, video.uuid, hls)).status, 400)
          yield* sql`update video set is_live = false, state = 1, remote = false where id = ${video.id}`
        }
        yield* sql`delete from video_file where video_id = ${video.id}`
        yield* sql`delete from streaming_playlist where video_id = ${video.id}`
        assert.strictEqual((yield* order(root, video.uuid, hls)).status, 400)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/source/file`)).status, 404)
      }),
    patience
  )
})

layer(sourceNode({ processing: { keepOriginal: true, splitAudio: true, webVideos: false } }), {
  excludeTestServices: true,
  timeout: patience
})("the file of a source", (it) => {
  it.effect(
    "is deleted alone, and the best renditions stand in for it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const root = yield* administrator
        const owner = yield* newUser("keeper")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const source = () => send(`/api/v1/videos/${video.uuid}/source`, bearer(owner.token))
        assert.isString((yield* source()).json.fileDownloadUrl)
        assert.strictEqual((yield* remove(owner.token, `/videos/${video.uuid}/source/file`)).status, 403)
        assert.strictEqual((yield* remove(root, "/videos/999999/source/file")).status, 404)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/source/file`)).status, 204)
        assert.strictEqual((yield* remove(root, `/videos/${video.uuid}/source/file`)).status, 404)
        assert.deepInclude((yield* source()).json, { fileDownloadUrl: null, inputFilename: "clip.mp4" })
        assert.deepInclude(yield* outcome(video.id), { hls: [0, 144, 240], web: [] })
        // Picture and sound lie apart in what is left.
        assert.strictEqual((yield* order(root, video.uuid, web)).status, 204)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { hls: [0, 144, 240], web: [144, 240] })
        const sounds =
          yield* sql`select has_audio as sound, has_video as picture from video_file where video_id = ${video.id}`
        assert.isTrue(sounds.every(({ picture, sound }) => picture === true && sound === true))
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )
})

layer(sourceNode({ config: { transcoding: { enabled: false } } }), { excludeTestServices: true })(
  "where nothing is transcoded",
  (it) => {
    it.effect(
      "nothing is made anew",
      () =>
        Effect.gen(function* () {
          const root = yield* administrator
          const owner = yield* newUser("nobody")
          const video = yield* upload(owner, plainClip())
          assert.strictEqual((yield* order(root, video.uuid, hls)).status, 400)
          assert.strictEqual((yield* replaceBy(owner, video.uuid, plainClip())).status, 403)
        }),
      patience
    )
  }
)
