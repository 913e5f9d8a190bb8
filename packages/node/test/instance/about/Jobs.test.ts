import { assert, layer } from "@effect/vitest"
import { jobStates } from "@kinora/domain/enums/JobState"
import { JobList } from "@kinora/domain/wire/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { accept, addJob, post, runner } from "../../runner/Runners.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { bearer, send } from "./Client.ts"

const decode = Schema.decodeUnknownEffect(JobList, { onExcessProperty: "error" })

const asAdministrator = Effect.fn("asAdministrator")(function* (path: string, method = "GET") {
  const { administrator } = yield* People
  return yield* send(`/api/v1/jobs${path}`, { ...bearer(administrator), method })
})

const listed = Effect.fn("listed")(function* (path: string) {
  const answer = yield* asAdministrator(path)
  assert.strictEqual(answer.status, 200, answer.text)
  return yield* decode(answer.json)
})

layer(peopledNode, { excludeTestServices: true })("Jobs", (it) => {
  it.effect("are shown with what federation still has to send", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from job`
      yield* sql`
        insert into delivery (activity_id, inbox_url, host, next_attempt_at, created_at)
        values (1, 'https://near.example/inbox', 'near.example', now(), now() - interval '2 minutes'),
          (1, 'https://dead.example/inbox', 'dead.example', now() + interval '1 hour', now() - interval '1 minute')`
      yield* sql`
        insert into outbox_change (kind, thing_id, created_at) values ('playlist', 1, now() - interval '3 minutes')`
      const subjects = (path: string) =>
        Effect.map(listed(path), ({ data, total }) => {
          assert.strictEqual(total, data.length)
          return data.map((job) => [job.type, (job.data as { readonly subject: string }).subject])
        })
      const waiting = [
        ["activitypub-http-unicast", "https://near.example/inbox"],
        ["activitypub-http-broadcast", "playlist 1"]
      ]
      assert.deepStrictEqual(yield* subjects("/waiting"), waiting)
      assert.deepStrictEqual(yield* subjects("/waiting?jobType=activitypub-http-broadcast"), [waiting[1]!])
      assert.deepStrictEqual(yield* subjects("/delayed"), [["activitypub-http-unicast", "https://dead.example/inbox"]])
      assert.deepStrictEqual(yield* subjects("/active"), [])
      yield* sql`delete from outbox_change`
      yield* sql`delete from delivery`

      const { id } = yield* addVideo({ owner: "owner" })
      yield* sql`delete from video_recount`
      yield* sql`insert into video_recount (video_id, due) values (${id}, now() + interval '5 seconds')`
      assert.deepStrictEqual(yield* subjects("/waiting"), [["federate-video", `video ${id}`]])
      yield* sql`delete from video_recount`
    })
  )

  it.effect("are listed by state and type, newest first, in pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from job`
      const add = (state: string, type: string, minutesAgo: number) =>
        Effect.map(
          sql<{ id: number }>`
            insert into job (type, payload, state, lease_token, error, created_at)
            values (${type}, '{"a":1}', ${state}, case when ${state === "active"}::boolean then gen_random_uuid() end,
              case when ${state === "failed"}::boolean then 'No picture' end,
              now() - make_interval(mins => ${minutesAgo}::int)) returning id`,
          (rows) => rows[0]!.id
        )
      const active = yield* add("active", "video-transcoding", 1)
      const completed = yield* add("completed", "video-import", 2)
      const failed = yield* add("failed", "email", 3)
      const waiting = yield* add("waiting", "email", 4)
      const delayed = yield* add("delayed", "video-transcoding", 5)
      const children = yield* add("waiting-children", "video-transcoding", 6)
      const dropped = yield* add("cancelled", "video-transcoding", 7)
      const all = [active, completed, failed, waiting, delayed, children, dropped]
      for (const [path, found] of [
        ["", all],
        ["/", all],
        ["?sort=createdAt", all.toReversed()],
        ["?sort=-createdAt&start=1&count=2", [completed, failed], all.length],
        ["?count=0", [], all.length],
        ["/active", [active]],
        ["/completed", [completed]],
        ["/failed", [failed, dropped]],
        ["/failed?sort=createdAt", [dropped, failed]],
        ["/waiting", [waiting]],
        ["/delayed", [delayed]],
        ["/waiting-children", [children]],
        ["/paused", []],
        ["/prioritized", []],
        ["?jobType=email", [failed, waiting]],
        ["/waiting?jobType=email", [waiting]],
        ["/waiting?jobType=video-import", []],
        ["/active?jobType=videos-stats", []]
      ] as const) {
        const { data, total } = yield* listed(path)
        assert.deepStrictEqual(
          data.map(({ id }) => id),
          [...found],
          path
        )
        if (!path.includes("count")) assert.strictEqual(total, found.length, path)
        else assert.strictEqual(total, all.length, path)
        for (const job of data) assert.include(jobStates, job.state)
      }
      const [newest, , third] = (yield* listed("")).data
      assert.deepInclude(newest, { type: "video-transcoding", data: { a: 1 }, error: null, processedOn: null })
      // Of a mail nothing is shown but its kind.
      assert.deepInclude(third, { type: "email", data: { kind: null }, error: { message: "No picture" } })
      assert.deepInclude((yield* listed("/failed")).data[1], { state: "failed", error: { message: "Cancelled" } })
      for (const path of ["/nothing", "/cancelled", "?jobType=nothing", "?sort=state", "?count=101", "?start=-1"]) {
        assert.strictEqual((yield* asAdministrator(path)).status, 400, path)
      }
    })
  )

  it.effect("begin nowhere while they are paused, at runners neither", () =>
    Effect.gen(function* () {
      const { moderator } = yield* People
      const sql = yield* SqlClient
      const board = yield* JobBoard
      yield* sql`delete from job`
      const id = yield* board.enqueue({ type: "video-transcoding", payload: {} })
      const { runnerToken } = yield* runner()
      const held = yield* addJob()
      const mine = yield* accept(held.uuid, runnerToken)
      const pending = yield* addJob()
      const offered = Effect.map(post("/jobs/request", { runnerToken }), ({ json }) => json.availableJobs.length)
      const claimed = board.claim(["video-transcoding"], "test", "1 minute")
      assert.strictEqual(yield* offered, 1)

      for (const path of ["pause", "resume"]) {
        const url = `/api/v1/jobs/${path}`
        assert.strictEqual((yield* send(url, { method: "POST" })).status, 401)
        assert.strictEqual((yield* send(url, { ...bearer(moderator), method: "POST" })).status, 403)
      }
      for (let twice = 0; twice < 2; twice++) {
        const paused = yield* asAdministrator("/pause", "POST")
        assert.deepStrictEqual([paused.status, paused.text], [204, ""])
      }
      assert.isTrue(Option.isNone(yield* claimed))
      assert.strictEqual(yield* offered, 0)
      const refused = yield* post(`/jobs/${pending.uuid}/accept`, { runnerToken })
      assert.deepStrictEqual([refused.status, refused.json.code], [409, "runner_job_not_in_pending_state"])
      // What runs goes on.
      const update = yield* post(`/jobs/${held.uuid}/update`, { ...mine, progress: 40 })
      assert.strictEqual(update.status, 204, update.text)
      const waiting = (yield* listed("/paused")).data
      assert.deepStrictEqual(
        waiting.map((job) => [job.id, job.state]),
        [[id, "waiting"]]
      )

      yield* sql`update runner_job set updated_at = now() - interval '1 hour' where uuid = ${pending.uuid}::uuid`
      assert.strictEqual((yield* asAdministrator("/resume", "POST")).status, 204)
      assert.strictEqual((yield* asAdministrator("/resume", "POST")).status, 204)
      // A pause is no time in which a runner could have taken it.
      const [waited] = yield* sql<{ seconds: number }>`
        select extract(epoch from now() - updated_at)::float8 as seconds from runner_job where uuid = ${pending.uuid}::uuid`
      assert.isBelow(waited!.seconds, 60)
      assert.strictEqual((yield* listed("/paused")).total, 0)
      assert.strictEqual(yield* offered, 1)
      assert.strictEqual(Option.getOrThrow(yield* claimed).id, id)
      yield* accept(pending.uuid, runnerToken)
    })
  )
})
