import { eventually } from "../../runner/local/LocalNode.ts"
import { assert, layer } from "@effect/vitest"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { type Step, StepObserver } from "../../../src/video/process/Steps.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { filesAfterRemovals, outcome, runDoomed, upload, workOff } from "../process/Pipeline.ts"
import { clip, oddClip, plainClip } from "../upload/Clips.ts"
import { newUser } from "../upload/UploadNode.ts"
import { addressOf, announce, chunk, filesOf, promote, replaceBy, sourceNode } from "./SourceNode.ts"

/** Four seconds, wide and high alike. */
const squareClip = () =>
  clip("square.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=size=240x240:rate=25:duration=4"],
    ...["-f", "lavfi", "-i", "sine=frequency=300:duration=4"],
    ...["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"]
  ])

const enabled = { video_file: { update: { enabled: true } } }

const thumbnailsOf = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const rows = yield* sql<{
    filename: string
  }>`select filename from thumbnail where video_id = ${videoId} order by type`
  return rows.map(({ filename }) => filename)
})

const replacementSteps: ReadonlyArray<Step> = ["publish:stored", "transcode:stored"]

/** Milliseconds for one test: encodes on a busy machine. */
const patience = 120_000

layer(sourceNode({ config: enabled, processing: { resolutions: [] } }), {
  excludeTestServices: true,
  timeout: patience
})("another source for a video", (it) => {
  it.effect(
    "takes the place of the old one, and the video keeps what belongs to it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("replacer")
        const video = yield* upload(owner, plainClip(), { name: "Stays", tags: ["one"], language: "fr" })
        yield* workOff
        yield* sql`update video set views = 7, published_at = now() - interval '3 days',
          input_file_updated_at = now() - interval '3 days' where id = ${video.id}`
        yield* sql`update thumbnail set automatically_generated = false where video_id = ${video.id} and type = 2`
        yield* sql`insert into video_schedule_update values (${video.id}, '2030-01-01T00:00:00Z', 1)`
        const before = yield* filesOf(owner, video.uuid)
        const [small, large] = yield* thumbnailsOf(video.id)
        const bytes = readFileSync(squareClip())
        const announced = yield* announce(owner, video.uuid, bytes.length)
        assert.strictEqual(announced.status, 201, announced.text)
        const address = addressOf(announced)
        const half = Math.floor(bytes.length / 2)
        const first = yield* chunk(owner, address, bytes, 0, half)
        assert.deepStrictEqual([first.status, first.headers.get("range")], [308, `bytes=0-${half - 1}`])
        assert.strictEqual((yield* chunk(owner, address, bytes, half)).status, 204)
        assert.strictEqual((yield* chunk(owner, address, bytes, half)).status, 204, "the answer comes again")
        const again = yield* announce(owner, video.id, bytes.length)
        assert.deepStrictEqual([again.status, again.json.code], [409, "video_already_being_transcoded"])

        const meanwhile = yield* filesOf(owner, video.uuid)
        assert.strictEqual(meanwhile.details.state.id, 2)
        assert.deepStrictEqual([meanwhile.details.duration, meanwhile.hls], [2, before.hls])
        for (const path of [...before.web, ...before.hls]) assert.strictEqual((yield* send(path)).status, 200, path)
        yield* workOff

        const after = yield* filesOf(owner, video.uuid)
        assert.deepInclude(after.details, {
          id: before.details.id,
          uuid: before.details.uuid,
          url: before.details.url,
          name: "Stays",
          tags: ["one"],
          views: 7,
          publishedAt: before.details.publishedAt,
          scheduledUpdate: before.details.scheduledUpdate,
          privacy: before.details.privacy,
          duration: 4,
          aspectRatio: 1,
          state: { id: 1, label: "Published" }
        })
        assert.isAbove(Date.parse(after.details.inputFileUpdatedAt), Date.parse(before.details.inputFileUpdatedAt))
        for (const path of [...before.web, ...before.hls]) assert.notInclude([...after.web, ...after.hls], path)
        const [smallNow, largeNow] = yield* thumbnailsOf(video.id)
        assert.notStrictEqual(smallNow, small)
        assert.strictEqual(largeNow, large, "a picture that somebody chose stays")
        const source = yield* send(`/api/v1/videos/${video.uuid}/source`, bearer(owner.token))
        assert.deepInclude(source.json, { inputFilename: "again.mp4", width: 240, height: 240, fileDownloadUrl: null })
        const activities =
          yield* sql`select action from channel_activity where channel_id = ${owner.channelId} order by id`
        assert.deepStrictEqual(activities, [{ action: 1 }, { action: 8 }])
        assert.lengthOf(yield* sql`select 1 from video_source where video_id = ${video.id}`, 1)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
        // What is remembered of a file is at most a second old.
        for (const path of before.web) yield* eventually(Effect.map(send(path), ({ status }) => status === 404))
      }),
    patience
  )

  it.effect(
    "leaves the old or the new video to play, wherever it ends",
    () =>
      Effect.gen(function* () {
        const upkeep = yield* JobUpkeep
        const owner = yield* newUser("crasher")
        for (const step of replacementSteps) {
          const video = yield* upload(owner, plainClip(), { name: step })
          yield* workOff
          const before = yield* filesOf(owner, video.uuid)
          assert.strictEqual((yield* replaceBy(owner, video.uuid, squareClip())).status, 204)
          const crash = (at: Step) => (at === step ? Effect.die(new Error("killed")) : Effect.void)
          const first = yield* runDoomed(publishType).pipe(Effect.provideService(StepObserver, crash))
          assert.strictEqual(Exit.isFailure(first), step.startsWith("publish"))
          if (step.startsWith("transcode")) {
            assert.isTrue(
              Exit.isFailure(yield* runDoomed(transcodingType).pipe(Effect.provideService(StepObserver, crash)))
            )
          }
          const broken = yield* filesOf(owner, video.uuid)
          const stillOld = step.startsWith("publish")
          assert.strictEqual(broken.details.duration, stillOld ? 2 : 4, step)
          if (stillOld) assert.deepStrictEqual(broken.hls, before.hls)
          for (const path of [...broken.web, ...broken.hls]) assert.strictEqual((yield* send(path)).status, 200, path)
          yield* upkeep.expireLeases("test")
          yield* workOff
          assert.deepInclude((yield* filesOf(owner, video.uuid)).details, {
            duration: 4,
            state: { id: 1, label: "Published" },
            publishedAt: before.details.publishedAt
          })
          const { expected, present } = yield* filesAfterRemovals
          assert.deepStrictEqual(present, expected, step)
        }
      }),
    patience
  )

  it.effect(
    "that comes to nothing leaves the video as it was, and another may follow",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const objects = yield* ObjectStore
        const owner = yield* newUser("unlucky")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const before = yield* filesOf(owner, video.uuid)
        const thumbnails = yield* thumbnailsOf(video.id)
        // Waits for the ladder, and so keeps its pictures until then.
        assert.strictEqual((yield* replaceBy(owner, video.uuid, oddClip())).status, 204)
        yield* runDoomed(publishType)
        assert.deepStrictEqual(yield* thumbnailsOf(video.id), thumbnails)
        const [source] = yield* sql<{ name: string }>`
          select filename as name from video_source where video_id = ${video.id} and filename is not null`
        yield* objects.remove({ bucket: "original_video_files", name: source!.name })
        yield* workOff
        const failed = yield* filesOf(owner, video.uuid)
        assert.deepStrictEqual([failed.hls, failed.web], [before.hls, before.web])
        assert.deepInclude(failed.details, {
          state: { id: 1, label: "Published" },
          duration: 2,
          publishedAt: before.details.publishedAt
        })
        assert.strictEqual((yield* replaceBy(owner, video.uuid, squareClip())).status, 204)
        yield* workOff
        assert.deepInclude((yield* filesOf(owner, video.uuid)).details, { duration: 4, aspectRatio: 1 })
        assert.deepInclude(yield* outcome(video.id), { state: 1, storyboards: 1, thumbnails: 2 })
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )

  it.effect(
    "is refused to others, for what it is, and while the video is not ready for it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [owner, stranger, friend] = [
          yield* newUser("holder"),
          yield* newUser("stranger"),
          yield* newUser("friend")
        ]
        const moderator = yield* newUser("moderator")
        yield* promote(moderator, 1)
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const size = readFileSync(plainClip()).length
        const refusals = [
          [(yield* send(`/api/v1/videos/${video.id}/source/replace-resumable`, { method: "POST" })).status, 401],
          [(yield* announce(owner, "no-such-form", size)).status, 400],
          [(yield* announce(owner, 999_999, size)).status, 404],
          [(yield* announce(stranger, video.uuid, size)).status, 403],
          [(yield* announce(friend, video.uuid, size)).status, 403],
          [(yield* announce(owner, video.uuid, 0)).status, 400],
          [(yield* announce(owner, video.uuid, size, { filename: "notes.txt", type: "text/plain" })).status, 415],
          [(yield* announce(owner, video.uuid, 2 * 1024 ** 2)).status, 413]
        ]
        for (const [actual, expected] of refusals) assert.strictEqual(actual, expected, JSON.stringify(refusals))

        yield* sql`insert into video_channel_collaborator (channel_id, account_id, state)
          values (${owner.channelId}, ${friend.user.accountId}, 2)`
        const bytes = readFileSync(plainClip())
        const friends = addressOf(yield* announce(friend, video.uuid, size))
        const moderators = addressOf(yield* announce(moderator, video.uuid, size))
        assert.isNotEmpty(friends)
        assert.strictEqual((yield* chunk(moderator, friends, bytes)).status, 404, "of somebody else")
        const id = new URL(friends, "http://x").searchParams.get("upload_id")
        const elsewhere = `/api/v1/videos/upload-resumable?upload_id=${id}`
        assert.strictEqual((yield* chunk(friend, elsewhere, bytes)).status, 403, "no new video comes of it")
        const other = yield* upload(friend, plainClip())
        yield* workOff
        const wrongVideo = friends.replace(video.uuid, other.uuid)
        assert.strictEqual((yield* chunk(friend, wrongVideo, bytes)).status, 404, "nor is another video's replaced")
        const remove = (address: string) => send(address, { method: "DELETE", ...bearer(moderator.token) })
        assert.strictEqual((yield* remove(friends)).status, 404)
        assert.strictEqual((yield* remove(moderators)).status, 204)
        assert.strictEqual((yield* remove(moderators)).status, 404)

        const rubbish = Buffer.alloc(size, "no film ")
        const bad = yield* chunk(friend, friends, rubbish)
        assert.strictEqual(bad.status, 422, bad.text)
        assert.strictEqual((yield* chunk(friend, friends, rubbish)).status, 404, "it is gone with what it was")

        const late = addressOf(yield* announce(owner, video.uuid, size))
        for (const [state, live] of [
          [3, false],
          [12, false],
          [1, true]
        ]) {
          yield* sql`update video set state = ${state}, is_live = ${live} where id = ${video.id}`
          assert.strictEqual((yield* announce(owner, video.uuid, size)).status, 409)
          assert.strictEqual((yield* chunk(owner, late, bytes)).status, 409)
        }
        yield* sql`update video set state = 1, is_live = false where id = ${video.id}`
        assert.strictEqual((yield* chunk(owner, late, bytes)).status, 204, "the upload waited")
        yield* workOff
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )
})

layer(sourceNode({ config: enabled, processing: { keepOriginal: true, resolutions: [] } }), {
  excludeTestServices: true,
  timeout: patience
})("another source for a video whose source is kept", (it) => {
  it.effect(
    "has to fit into the quota of the owner, with the old one taken away",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("thrifty")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        const [held] = yield* sql<{ used: number; source: number }>`
        select (select sum(size) from video_source)::int + (select sum(size) from video_file)::int as used,
          (select sum(size) from video_source)::int as source`
        const { source, used } = held!
        const quota = (bytes: number, daily = -1) =>
          sql`update app_user set video_quota = ${bytes}, video_quota_daily = ${daily} where id = ${owner.user.id}`
        const size = readFileSync(squareClip()).length
        yield* quota(used - source + size - 1)
        const refused = yield* announce(owner, video.uuid, size)
        assert.deepStrictEqual([refused.status, refused.json.code], [413, "quota_reached"])
        yield* quota(used - source + size)
        const first = yield* announce(owner, video.uuid, size)
        assert.strictEqual(first.status, 201, first.text)
        assert.strictEqual((yield* announce(owner, video.uuid, size)).status, 413, "what comes back comes back once")
        assert.strictEqual((yield* chunk(owner, addressOf(first), readFileSync(squareClip()))).status, 204)
        yield* quota(-1)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1 })
        // An old video that gets another file counts as an upload of today.
        yield* sql`update video set created_at = now() - interval '9 days' where id = ${video.id}`
        yield* quota(-1, size)
        const tomorrow = yield* announce(owner, video.uuid, size)
        assert.deepStrictEqual([tomorrow.status, tomorrow.json.code], [413, "quota_reached"])
        // What comes back was not counted today: all of the new file is, also while it is on its way.
        yield* sql`update video set input_file_updated_at = now() - interval '9 days' where id = ${video.id}`
        yield* quota(-1, 2 * size - 1)
        assert.strictEqual((yield* announce(owner, video.uuid, size)).status, 201)
        const beside = yield* announce(owner, video.uuid, size)
        assert.deepStrictEqual([beside.status, beside.json?.code], [413, "quota_reached"])
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    patience
  )
})

layer(sourceNode({}), { excludeTestServices: true })("where sources are not replaced", (it) => {
  it.effect(
    "nobody may",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("hopeful")
        const video = yield* upload(owner, plainClip())
        assert.strictEqual((yield* announce(owner, video.uuid, 1000)).status, 403)
      }),
    patience
  )
})
