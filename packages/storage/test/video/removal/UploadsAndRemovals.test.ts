import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { insertUser, type CreatedUser } from "../../../src/people/user/NewUser.ts"
import { UserRemoval } from "../../../src/video/removal/UserRemoval.ts"
import { JobBoard } from "../../../src/platform/jobs/JobBoard.ts"
import { VideoCreation } from "../../../src/video/write/VideoCreation.ts"
import { VideoDeletion } from "../../../src/video/write/VideoDeletion.ts"
import { lockVideo } from "../../../src/video/write/VideoFiles.ts"
import { VideoPublication } from "../../../src/video/write/VideoPublication.ts"
import { newUser } from "../../people/user/NewUsers.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = Layer.mergeAll(
  VideoCreation.layer,
  VideoDeletion.layer,
  VideoPublication.layer,
  UserRemoval.layer
).pipe(Layer.provideMerge(JobBoard.layer), Layer.provideMerge(TestDatabase))

const users = 40
const uploads = 3

/** Deadlocks of the database since it was made. */
const deadlocks = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`select pg_stat_force_next_flush()`
  const [row] = yield* sql<{ count: number }>`
    select deadlocks as count from pg_stat_database where datname = current_database()`
  return row!.count
})

const video = (owner: CreatedUser, uuid: string) => ({
  uuid,
  channelId: owner.channelId,
  accountId: owner.accountId,
  uploaderAccountId: owner.accountId,
  url: `http://localhost:9000/videos/watch/${uuid}`,
  name: "Uploaded while its owner leaves",
  category: null,
  licence: null,
  language: null,
  privacy: 1,
  nsfw: false,
  nsfwFlags: 0,
  nsfwSummary: null,
  description: null,
  support: null,
  duration: 10,
  aspectRatio: null,
  waitTranscoding: false,
  downloadEnabled: true,
  commentsPolicy: 1,
  originallyPublishedAt: null,
  tags: ["leaving"],
  passwords: [],
  schedule: null,
  source: {
    inputFilename: "a.mp4",
    filename: `${uuid}.mp4`,
    size: 1,
    width: null,
    height: null,
    resolution: null,
    fps: null,
    metadata: {}
  },
  thumbnails: [],
  reviewed: false
})

layer(services, { timeout: 120_000, excludeTestServices: true })("uploads while users are removed", (it) => {
  it.effect(
    "never wait for each other in a circle, and leave nothing of those who left",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const creation = yield* VideoCreation
        const deletion = yield* VideoDeletion
        const publication = yield* VideoPublication
        const removal = yield* UserRemoval
        const board = yield* JobBoard
        // The database may have served other suites.
        const before = yield* deadlocks
        const owners = yield* Effect.forEach(
          Array.from({ length: users }, (_, n) => `leaver${n}`),
          (name) => sql.withTransaction(insertUser(sql, newUser(name)))
        )

        /** An upload that becomes a video, is worked on, and is published, fails or is deleted. */
        const upload = (owner: CreatedUser, n: number) =>
          Effect.gen(function* () {
            const id = randomUUID()
            const type = `work-${id}`
            yield* sql`
              insert into upload_session (id, user_id, payer_id, filename, content_type, size, metadata, expires_at)
              values (${id}, ${owner.userId}, ${owner.userId}, 'a.mp4', 'video/mp4', 1, '{}', now() + interval '1 hour')`
            const made = yield* creation.fromUpload(id, video(owner, randomUUID()), {
              job: (videoId) => ({ type, payload: {}, videoId }),
              replaySeconds: 60
            })
            const job = yield* board.claim([type], "test", "1 minute")
            if (Option.isNone(job)) return
            if (n % 3 === 0) yield* publication.fail(made.id, job.value.lease, "it failed", true)
            else {
              yield* publication.commit({
                videoId: made.id,
                lease: job.value.lease,
                privacy: 1,
                shape: { duration: 11, aspectRatio: 1.5 },
                publish: true,
                dropSource: true
              })
            }
            if (n % 3 === 1) yield* deletion.video(made.id)
          }).pipe(
            // Whoever comes too late finds the user, the upload, the job or the video gone. Nothing else may happen.
            Effect.catchIf(
              (error) =>
                error._tag === "UploadGone" ||
                error._tag === "ChannelGone" ||
                error._tag === "LeaseLost" ||
                error._tag === "VideoChanged" ||
                (error._tag === "SqlError" && error.reason._tag === "ConstraintError"),
              () => Effect.void
            )
          )

        yield* Effect.forEach(
          owners,
          (owner) =>
            Effect.all(
              [
                ...Array.from({ length: uploads }, (_, n) => upload(owner, n)),
                Effect.andThen(Effect.yieldNow, removal.remove(owner.userId))
              ],
              { concurrency: "unbounded", discard: true }
            ),
          { concurrency: 4, discard: true }
        )

        assert.strictEqual(yield* deadlocks, before)
        assert.deepStrictEqual(yield* sql`select count(*) as left from video`, [{ left: 0 }])
        assert.deepStrictEqual(yield* sql`select count(*) as left from app_user`, [{ left: 0 }])
      }),
    120_000
  )

  it.effect("wait for the owner before the video, so that a second change of it waits for nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const removal = yield* UserRemoval
      const creation = yield* VideoCreation
      const owner = yield* sql.withTransaction(insertUser(sql, newUser("waiter")))
      yield* sql`
        insert into upload_session (id, user_id, payer_id, filename, content_type, size, metadata, expires_at)
        values ('w', ${owner.userId}, ${owner.userId}, 'a.mp4', 'video/mp4', 1, '{}', now() + interval '1 hour')`
      const job = (videoId: number) => ({ type: "wait", payload: {}, videoId })
      const { id } = yield* creation.fromUpload("w", video(owner, randomUUID()), { job, replaySeconds: 60 })
      const holds = yield* Deferred.make<void>()
      const change = sql`update video set updated_at = now() where id = ${id}`
      const someoneWaits = sql<{ n: number }>`
        select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const changes = sql.withTransaction(
        Effect.gen(function* () {
          // Shorter than PostgreSQL looks for deadlocks.
          yield* sql`set local lock_timeout = '500ms'`
          yield* lockVideo(sql, id)
          yield* change
          yield* Deferred.succeed(holds, undefined)
          yield* Effect.repeat(someoneWaits, { until: ([row]) => row!.n > 0 })
          yield* change
        })
      )
      const removes = Effect.andThen(Deferred.await(holds), removal.remove(owner.userId))
      const [, removed] = yield* Effect.all([changes, removes], { concurrency: 2 })
      assert.isTrue(removed)
      assert.deepStrictEqual(yield* sql`select count(*) as left from video`, [{ left: 0 }])
    })
  )
})
