import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { RunnerJobs } from "../../src/runner/job/RunnerJobs.ts"
import { send } from "../instance/about/Client.ts"
import { formBody, formType } from "../video/upload/Form.ts"
import { peopledNode } from "../video/list/People.ts"
import { accept, addJob, job, manage, post, runner, sourceVideo, stateOf } from "./Runners.ts"

interface Tokens {
  readonly runnerToken: string
  readonly jobToken: string
}

const offers = Effect.fnUntraced(function* (runnerToken: string, jobTypes?: ReadonlyArray<string>) {
  const { json } = yield* post("/jobs/request", { runnerToken, ...(jobTypes === undefined ? {} : { jobTypes }) })
  return json.availableJobs as ReadonlyArray<{ readonly uuid: string; readonly type: string }>
})

const form = (uuid: string, fields: Record<string, string>, file?: string) =>
  send(`/api/v1/runners/jobs/${uuid}/update`, {
    method: "POST",
    headers: { "content-type": formType },
    body: new Uint8Array(
      formBody([
        ...Object.entries(fields).map(([name, content]) => ({ name, content })),
        ...(file === undefined ? [] : [{ name: file, filename: "../../x.ts", type: "video/mp2t", content: "x" }])
      ])
    )
  })

const code = ({ json, status }: { readonly status: number; readonly json: { readonly code?: string } }) =>
  [status, json?.code] as const

const lateFor = Effect.fnUntraced(function* (uuid: string, seconds: number) {
  const sql = yield* SqlClient
  yield* sql`update runner_job set lease_until = now() - ${seconds} * interval '1 second' where uuid = ${uuid}::uuid`
  yield* (yield* RunnerJobs).takeBack
})

const clear = Effect.flatMap(SqlClient, (sql) => sql`delete from runner_job`)

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("Jobs of runners", (it) => {
  it.effect("offers ten at most, the most urgent first, of the types asked for", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const late = yield* addJob({ priority: 300, type: "generate-video-storyboard" })
      for (let n = 0; n < 10; n++) yield* addJob({ priority: 200 })
      const first = yield* addJob({ priority: 5 })
      const all = yield* offers(runnerToken)
      assert.deepStrictEqual([all.length, all[0]?.uuid], [10, first.uuid])
      assert.sameMembers(Object.keys(all[0]!), ["uuid", "type", "payload"])
      const some = yield* offers(runnerToken, ["generate-video-storyboard", "a type of tomorrow"])
      assert.deepStrictEqual(
        some.map(({ uuid }) => uuid),
        [late.uuid]
      )
      assert.deepStrictEqual(yield* offers(runnerToken, []), [])
      const odd = yield* post("/jobs/request", { runnerToken, jobTypes: ["\u0000"] })
      assert.isBelow(odd.status, 500)
      yield* clear
    })
  )

  it.effect("tells runners of another job first each, and of all when there are few", () =>
    Effect.gen(function* () {
      const jobs = [yield* addJob(), yield* addJob(), yield* addJob()].map(({ uuid }) => uuid)
      const [one, two] = [yield* runner(), yield* runner()]
      const told = (token: string) => Effect.map(offers(token), (all) => all.map(({ uuid }) => uuid))
      assert.deepStrictEqual(yield* told(one.runnerToken), jobs)
      assert.deepStrictEqual(yield* told(two.runnerToken), [jobs[1], jobs[2], jobs[0]])
      assert.deepStrictEqual(yield* told(one.runnerToken), [jobs[0], jobs[2], jobs[1]])
      yield* clear
    })
  )

  it.effect("RUN-10: of many that accept at once one gets the job, and is told its token", () =>
    Effect.gen(function* () {
      const runners = yield* Effect.all([runner(), runner(), runner()])
      const jobs = yield* Effect.all([addJob(), addJob()])
      const answers = yield* Effect.forEach(
        jobs.flatMap(({ uuid }) =>
          runners.flatMap((one) => [
            { uuid, one },
            { uuid, one }
          ])
        ),
        ({ one, uuid }) => post(`/jobs/${uuid}/accept`, { runnerToken: one.runnerToken }),
        { concurrency: 12 }
      )
      const given = answers.filter(({ status }) => status === 200)
      assert.sameMembers(
        given.map(({ json }) => json.job.uuid),
        jobs.map(({ uuid }) => uuid)
      )
      for (const answer of answers) {
        if (answer.status !== 200) assert.deepStrictEqual(code(answer), [409, "runner_job_not_in_pending_state"])
      }
      const { job: told } = given[0]!.json
      assert.match(told.jobToken, /^ptrjt-[0-9a-f-]{36}$/)
      assert.deepStrictEqual([told.state, told.progress, told.failures], [{ id: 2, label: "Processing" }, null, 0])
      assert.include(
        runners.map(({ id }) => id),
        told.runner.id
      )
      assert.notProperty(told, "privatePayload")
      assert.strictEqual(
        (yield* post(`/jobs/${randomUUID()}/accept`, { runnerToken: runners[0].runnerToken })).status,
        404
      )
      assert.strictEqual((yield* post("/jobs/1/accept", { runnerToken: runners[0].runnerToken })).status, 400)
      yield* clear
    })
  )

  it.effect("RUN-08: notes progress, from a form or JSON, and refuses files", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const { uuid } = yield* addJob()
      const tokens = yield* accept(uuid, runnerToken)
      assert.strictEqual((yield* form(uuid, { ...tokens })).status, 204)
      assert.strictEqual((yield* post(`/jobs/${uuid}/update`, { ...tokens, progress: 12 })).status, 204)
      assert.deepInclude(yield* job(uuid), { progress: 12, state: { id: 2, label: "Processing" } })
      for (const progress of ["101", "-1", "1.5"]) {
        const refused = yield* form(uuid, { ...tokens, progress })
        assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [400, ["progress"]])
      }
      const file = yield* form(uuid, { ...tokens }, "payload[videoChunkFile]")
      assert.deepStrictEqual(Object.keys(file.json["invalid-params"]), ["payload[videoChunkFile]"])
      const large = yield* form(uuid, { ...tokens, payload: "x".repeat(100_000) })
      assert.strictEqual(large.status, 413)
      assert.strictEqual(yield* stateOf(uuid), 2)
      yield* clear
    })
  )

  it.effect("RUN-11: a flood of updates is written now and then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { runnerToken } = yield* runner()
      const { uuid } = yield* addJob()
      const tokens = yield* accept(uuid, runnerToken)
      yield* sql`create table counted (n serial)`
      yield* sql.unsafe(`create function count_write() returns trigger language plpgsql as
        $$ begin insert into counted default values; return null; end $$`)
      yield* sql`create trigger count_write after update on runner_job for each row execute function count_write()`
      const answers = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => n),
        (progress) => post(`/jobs/${uuid}/update`, { ...tokens, progress }),
        { concurrency: 10 }
      )
      assert.isTrue(answers.every(({ status }) => status === 204))
      yield* sql`drop trigger count_write on runner_job`
      const written = yield* sql<{ n: number }>`select count(*) as n from counted`
      // The first ones that come together may all find that none was written yet.
      assert.isAtMost(written[0]!.n, 12)
      assert.isNotNull((yield* job(uuid)).progress)
      yield* clear
    })
  )

  it.effect("RUN-02: tokens belong together, and to their job", () =>
    Effect.gen(function* () {
      const one = yield* runner()
      const two = yield* runner()
      const video = yield* sourceVideo("0123456789")
      const first = yield* addJob({ videoId: video.id })
      const second = yield* addJob({ videoId: video.id })
      const ofFirst = yield* accept(first.uuid, one.runnerToken)
      const ofSecond = yield* accept(second.uuid, two.runnerToken)
      const strange: ReadonlyArray<readonly [Tokens, ReadonlyArray<unknown>]> = [
        [{ ...ofFirst, runnerToken: two.runnerToken }, [404, undefined]],
        [{ ...ofFirst, jobToken: ofSecond.jobToken }, [404, undefined]],
        [ofSecond, [404, undefined]],
        [{ ...ofFirst, runnerToken: "ptrt-none" }, [404, "unknown_runner_token"]]
      ]
      const files = `files/videos/${video.uuid}/max-quality`
      for (const [tokens, expected] of strange) {
        for (const path of ["update", "abort", "error", files]) {
          const body = { ...tokens, reason: "r", message: "m" }
          assert.deepStrictEqual(code(yield* post(`/jobs/${first.uuid}/${path}`, body)), expected, path)
        }
      }
      assert.deepInclude(yield* job(first.uuid), { failures: 0, error: null, state: { id: 2, label: "Processing" } })
      assert.strictEqual((yield* post(`/jobs/${first.uuid}/${files}`, { ...ofFirst })).text, "0123456789")
      yield* clear
    })
  )

  it.effect("gives out the files of the job's own video, whole and in ranges", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const video = yield* sourceVideo("0123456789")
      const other = yield* sourceVideo("secret")
      const { uuid } = yield* addJob({ videoId: video.id })
      const tokens = yield* accept(uuid, runnerToken)
      const path = `/jobs/${uuid}/files/videos`
      const whole = yield* post(`${path}/${video.uuid}/max-quality`, { ...tokens })
      assert.deepStrictEqual([whole.status, whole.text], [200, "0123456789"])
      assert.strictEqual(whole.headers.get("cache-control"), "private, no-store")
      const part = yield* post(`${path}/${video.id}/max-quality`, { ...tokens }, { range: "bytes=2-4" })
      assert.deepStrictEqual([part.status, part.text], [206, "234"])
      const beyond = yield* post(`${path}/${video.id}/max-quality`, { ...tokens }, { range: "bytes=20-" })
      assert.strictEqual(beyond.status, 416)
      const sound = () => post(`${path}/${video.uuid}/max-quality/audio`, { ...tokens })
      assert.strictEqual((yield* sound()).status, 404)
      const sql = yield* SqlClient
      yield* sql`update video_file set has_video = false where id = ${video.hlsFileId}`
      assert.strictEqual((yield* sound()).status, 200)
      for (const name of ["thumbnails", "previews"]) {
        assert.strictEqual((yield* post(`${path}/${video.uuid}/${name}/max-quality`, { ...tokens })).status, 200, name)
        assert.strictEqual((yield* post(`${path}/${other.uuid}/${name}/max-quality`, { ...tokens })).status, 403, name)
      }
      assert.strictEqual((yield* post(`${path}/${other.uuid}/max-quality`, { ...tokens })).status, 403)
      assert.strictEqual((yield* post(`${path}/${video.uuid}/max-quality`, { runnerToken })).status, 400)
      assert.strictEqual((yield* send(`/api/v1/runners${path}/${video.uuid}/max-quality`)).status, 405)
      yield* post(`/jobs/${uuid}/abort`, { ...tokens, reason: "enough" })
      const late = yield* post(`${path}/${video.uuid}/max-quality`, { ...tokens })
      assert.deepStrictEqual(code(late), [400, "runner_job_not_in_processing_state"])
      yield* clear
    })
  )

  it.effect("has no files of tasks, and tells so to nobody else", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const video = yield* sourceVideo("0123456789")
      const other = yield* sourceVideo("secret")
      const { uuid } = yield* addJob({ videoId: video.id })
      const tokens = yield* accept(uuid, runnerToken)
      const path = (id: string | number, name: string) => `/jobs/${uuid}/files/videos/${id}/studio/task-files/${name}`
      const none = yield* post(path(video.uuid, "intro.mp4"), { ...tokens })
      assert.deepInclude(none.json, { status: 400, detail: "No task of this job has that file" })
      assert.strictEqual((yield* post(path(video.id, "intro.mp4"), { ...tokens })).status, 400)
      assert.strictEqual((yield* post(path(other.uuid, "intro.mp4"), { ...tokens })).status, 403)
      const outside = yield* post(path(video.uuid, "..%2F..%2Fsecret"), { ...tokens })
      assert.deepInclude(outside.json, { status: 400, detail: "Incorrect request parameters: filename" })
      for (const [body, expected] of [
        [{ ...tokens, runnerToken: "ptrt-none" }, [404, "unknown_runner_token"]],
        [{ ...tokens, jobToken: "another" }, [404, undefined]],
        [{ runnerToken }, [400, undefined]]
      ] as const) {
        assert.deepStrictEqual(code(yield* post(path(video.uuid, "intro.mp4"), body)), expected)
      }
      yield* post(`/jobs/${uuid}/abort`, { ...tokens, reason: "enough" })
      const late = yield* post(path(video.uuid, "intro.mp4"), { ...tokens })
      assert.deepStrictEqual(code(late), [400, "runner_job_not_in_processing_state"])
      yield* clear
    })
  )

  it.effect("a job given back waits again; after five failures it and its children end", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const parent = yield* addJob()
      const child = yield* addJob({ parentId: parent.id })
      const grandchild = yield* addJob({ parentId: child.id })
      assert.deepStrictEqual(
        (yield* offers(runnerToken)).map(({ uuid }) => uuid),
        [parent.uuid]
      )
      assert.deepInclude(yield* job(child.uuid), { state: { id: 5, label: "Waiting for parent job to finish" } })
      const given = yield* accept(parent.uuid, runnerToken)
      assert.strictEqual((yield* post(`/jobs/${parent.uuid}/abort`, { ...given, reason: "I go" })).status, 204)
      assert.deepInclude(yield* job(parent.uuid), { failures: 0, error: "I go", runner: null, startedAt: null })
      for (let failures = 1; failures <= 5; failures++) {
        const tokens = yield* accept(parent.uuid, runnerToken)
        const failed = yield* post(`/jobs/${parent.uuid}/error`, { ...tokens, message: `no. ${failures}` })
        assert.strictEqual(failed.status, 204)
        const late = yield* post(`/jobs/${parent.uuid}/update`, { ...tokens, progress: 99 })
        assert.deepStrictEqual(code(late), [400, "runner_job_not_in_processing_state"])
        const state = failures < 5 ? { id: 1, label: "Pending" } : { id: 4, label: "Errored" }
        assert.deepInclude(yield* job(parent.uuid), { failures, error: `no. ${failures}`, state, progress: null })
      }
      assert.deepInclude(yield* job(child.uuid), { state: { id: 7, label: "Parent job failed" } })
      assert.strictEqual((yield* job(child.uuid)).parent.uuid, parent.uuid)
      assert.strictEqual(yield* stateOf(grandchild.uuid), 7)
      assert.strictEqual((yield* manage("POST", `/jobs/${parent.uuid}/cancel`)).status, 400)
      // Runners are switched off here: nobody would come for it.
      assert.strictEqual((yield* manage("POST", `/jobs/${parent.uuid}/retry`)).status, 409)
      yield* clear
    })
  )

  it.effect("RUN-12: the last words of a tool are kept, without what steers terminals", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const { uuid } = yield* addJob()
      const tokens = yield* accept(uuid, runnerToken)
      const message = `${"a".repeat(300_000)}\u0000\u001b[31m<b>end</b>\n`
      assert.strictEqual((yield* post(`/jobs/${uuid}/error`, { ...tokens, message })).status, 204)
      const { error } = yield* job(uuid)
      assert.lengthOf(error, 5000)
      assert.isTrue(error.endsWith("aa  [31m<b>end</b>\n"))
      const again = yield* accept(uuid, runnerToken)
      const huge = yield* post(`/jobs/${uuid}/error`, { ...again, message: "a".repeat(10 * 1024 * 1024) })
      assert.strictEqual(huge.status, 413)
      assert.strictEqual(yield* stateOf(uuid), 2)
      yield* clear
    })
  )

  it.effect("RUN-04: the job of a silent runner goes to another, and what comes late is refused", () =>
    Effect.gen(function* () {
      const silent = yield* runner()
      const other = yield* runner()
      const { uuid } = yield* addJob()
      const lost = yield* accept(uuid, silent.runnerToken)
      yield* (yield* RunnerJobs).takeBack
      assert.strictEqual(yield* stateOf(uuid), 2)
      yield* lateFor(uuid, 1)
      assert.deepInclude(yield* job(uuid), { failures: 1, state: { id: 1, label: "Pending" } })
      const refused = yield* post(`/jobs/${uuid}/update`, { ...lost })
      assert.deepStrictEqual(code(refused), [400, "runner_job_not_in_processing_state"])
      const held = yield* accept(uuid, other.runnerToken)
      for (const path of ["update", "error", "abort"]) {
        const late = yield* post(`/jobs/${uuid}/${path}`, { ...lost, message: "m", reason: "r" })
        assert.strictEqual(late.status, 404, path)
      }
      assert.strictEqual((yield* post(`/jobs/${uuid}/update`, { ...held, progress: 50 })).status, 204)
      assert.deepInclude(yield* job(uuid), { failures: 1, progress: 50 })
      for (let failures = 2; failures <= 5; failures++) {
        yield* lateFor(uuid, 1)
        assert.strictEqual(yield* stateOf(uuid), failures < 5 ? 1 : 4)
        if (failures < 5) yield* accept(uuid, other.runnerToken)
      }
      yield* clear
    })
  )

  it.effect("RUN-05: administrators cancel and delete, with what waits; runners learn it from their next report", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const parent = yield* addJob()
      const child = yield* addJob({ parentId: parent.id })
      const tokens = yield* accept(parent.uuid, runnerToken)
      for (const [method, path] of [
        ["POST", `/jobs/${parent.uuid}/cancel`],
        ["DELETE", `/jobs/${parent.uuid}`],
        ["GET", "/jobs"]
      ] as const) {
        assert.strictEqual((yield* manage(method, path, "anonymous")).status, 401, path)
        assert.strictEqual((yield* manage(method, path, "moderator")).status, 403, path)
      }
      assert.strictEqual((yield* manage("POST", `/jobs/${parent.uuid}/cancel`)).status, 204)
      assert.deepStrictEqual([yield* stateOf(parent.uuid), yield* stateOf(child.uuid)], [6, 8])
      const update = yield* post(`/jobs/${parent.uuid}/update`, { ...tokens })
      assert.deepStrictEqual(code(update), [400, "runner_job_not_in_processing_state"])
      assert.strictEqual((yield* manage("DELETE", `/jobs/${parent.uuid}`)).status, 204)
      assert.strictEqual((yield* post(`/jobs/${parent.uuid}/update`, { ...tokens })).status, 404)
      assert.deepStrictEqual([yield* stateOf(parent.uuid), yield* stateOf(child.uuid)], [undefined, undefined])
      assert.strictEqual((yield* manage("DELETE", `/jobs/${parent.uuid}`)).status, 404)
      assert.strictEqual((yield* manage("POST", `/jobs/${parent.uuid}/cancel`)).status, 404)

      const video = yield* sourceVideo("gone soon")
      const ofVideo = yield* addJob({ videoId: video.id })
      const held = yield* accept(ofVideo.uuid, runnerToken)
      const sql = yield* SqlClient
      yield* sql`delete from video where id = ${video.id}`
      assert.strictEqual((yield* post(`/jobs/${ofVideo.uuid}/update`, { ...held })).status, 404)
      yield* clear
    })
  )

  it.effect("lists by state, type and text, in every order", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner("Lister")
      const first = yield* addJob({ priority: 10, type: "generate-video-storyboard" })
      const second = yield* addJob({ priority: 20 })
      yield* accept(second.uuid, runnerToken)
      const uuids = (query: string) =>
        Effect.map(manage("GET", `/jobs${query}`), ({ json }) =>
          json.data.map((one: { readonly uuid: string }) => one.uuid)
        )
      const both = [first.uuid, second.uuid]
      for (const sort of ["updatedAt", "createdAt", "priority", "state", "progress"]) {
        assert.sameMembers(yield* uuids(`?sort=${sort}`), both, sort)
      }
      assert.deepStrictEqual(yield* uuids("?sort=priority"), both)
      assert.deepStrictEqual(yield* uuids("?sort=-priority"), [...both].reverse())
      assert.deepStrictEqual(yield* uuids("?stateOneOf=1&stateOneOf=3"), [first.uuid])
      assert.deepStrictEqual(yield* uuids("?stateOneOf[]=2"), [second.uuid])
      assert.deepStrictEqual(yield* uuids("?typeOneOf=generate-video-storyboard"), [first.uuid])
      assert.deepStrictEqual(yield* uuids("?search=lister"), [second.uuid])
      assert.deepStrictEqual(yield* uuids("?search=%25"), [])
      assert.deepStrictEqual((yield* manage("GET", "/jobs?count=0")).json, { total: 2, data: [] })
      assert.strictEqual((yield* job(first.uuid)).privatePayload.videoUUID, "private")
      for (const query of ["?sort=uuid", "?stateOneOf=10", "?typeOneOf=none", "?count=101"]) {
        assert.strictEqual((yield* manage("GET", `/jobs${query}`)).status, 400, query)
      }
      yield* clear
    })
  )
})
