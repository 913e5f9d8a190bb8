import { assert, layer, vi } from "@effect/vitest"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdir, writeFile } from "node:fs/promises"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { RunnerResults } from "../../src/runner/job/RunnerResults.ts"
import { bearer, send } from "../instance/about/Client.ts"
import { filesAfterRemovals, outcome, upload } from "../video/process/Pipeline.ts"
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

// Each of them encodes more than once.
vi.setConfig({ testTimeout: 90_000 })

/** A video whose runner jobs wait: the storyboard, then the renditions from the highest. */
const given = Effect.fnUntraced(function* (name: string) {
  const owner = yield* newUser(name)
  const runner = yield* newRunner(name)
  const video = yield* upload(owner, oddClip())
  yield* workUntil(reaches(video.id, "waiting-children"))
  const offered = yield* offersOf(runner, video)
  return { owner, video, runner, offered: offered as ReadonlyArray<Offer> as readonly [Offer, Offer, Offer] }
})

const statesOf = (offered: ReadonlyArray<Offer>) =>
  Effect.map(jobs, (all) => offered.map(({ uuid }) => all.find((one) => one.uuid === uuid)?.state.id))

const asRoot = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const { headers } = bearer(yield* root)
  return yield* send(path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

const failFor = Effect.fnUntraced(function* ({ uuid }: Offer, runner: string, times: number) {
  for (let n = 0; n < times; n++) {
    const tokens = yield* accept(uuid, runner)
    yield* post(`/jobs/${uuid}/error`, { ...tokens, message: "no encoder" })
  }
})

/** As if it were so much later. */
const later =
  (by: Duration.Input) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.clockWith((clock) => {
      const millis = Duration.toMillis(by)
      const value = Effect.map(clock.currentTimeMillis, (now) => now + millis)
      const shifted: Clock.Clock = Object.create(clock, { currentTimeMillis: { value } })
      return Effect.provideService(effect, Clock.Clock, shifted)
    })

const sweep = Effect.flatMap(RunnerResults, (results) => results.sweep)

const codeOf = ({ json, status }: { readonly status: number; readonly json: { readonly code?: string } }) => [
  status,
  json.code
]
const notHeld = [400, "runner_job_not_in_processing_state"]

const node = sourceNode({
  config: { transcoding: { remote_runners: { enabled: true } } },
  processing: { remoteRunners: true }
})

layer(node, { excludeTestServices: true, timeout: 180_000 })("A ladder of runners that loses somebody", (it) => {
  it.effect("its video: who works on it is told so, and nothing is left", () =>
    Effect.gen(function* () {
      const { offered, owner, runner, video } = yield* given("deleted")
      const [sheet, high, low] = offered
      const working = yield* accept(low.uuid, runner)
      assert.strictEqual((yield* succeed(high.uuid, yield* accept(high.uuid, runner), film())).status, 204)
      assert.lengthOf(yield* resultsLeft, 1)
      const gone = yield* send(`/api/v1/videos/${video.uuid}`, { method: "DELETE", ...bearer(owner.token) })
      assert.strictEqual(gone.status, 204)
      assert.strictEqual((yield* post(`/jobs/${low.uuid}/update`, { ...working, progress: 5 })).status, 404)
      assert.strictEqual((yield* succeed(low.uuid, working, film())).status, 404)
      assert.strictEqual((yield* post(`/jobs/${sheet.uuid}/accept`, { runnerToken: runner })).status, 404)
      assert.isUndefined(yield* boardState(video.id))
      yield* later("11 minutes")(sweep)
      assert.deepStrictEqual(yield* resultsLeft, [])
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )

  it.effect("a job that an administrator cancels: the others end with it, and the video fails", () =>
    Effect.gen(function* () {
      const { offered, runner, video } = yield* given("cancelled")
      const [, high, low] = offered
      const working = yield* accept(low.uuid, runner)
      assert.strictEqual((yield* asRoot("POST", `/api/v1/runners/jobs/${high.uuid}/cancel`)).status, 204)
      assert.deepStrictEqual(yield* statesOf(offered), [1, 6, 6])
      assert.deepStrictEqual(codeOf(yield* post(`/jobs/${low.uuid}/update`, { ...working })), notHeld)
      assert.deepStrictEqual(codeOf(yield* succeed(low.uuid, working, film())), notHeld)
      yield* workUntil(reaches(video.id, "failed"))
      assert.strictEqual((yield* outcome(video.id)).state, 7)
      assert.deepStrictEqual(yield* resultsLeft, [])
      yield* giveUp(video.id)
    })
  )

  it.effect("the registration of its runners: their jobs go back unharmed, and others do them", () =>
    Effect.gen(function* () {
      const { offered, runner, video } = yield* given("revoked")
      const [, high, low] = offered
      const working = yield* accept(low.uuid, runner)
      const path = "/api/v1/runners/registration-tokens"
      const tokens = (yield* asRoot("GET", path)).json.data as ReadonlyArray<{ readonly id: number }>
      for (const { id } of tokens) assert.strictEqual((yield* asRoot("DELETE", `${path}/${id}`)).status, 204)
      assert.deepStrictEqual(codeOf(yield* succeed(low.uuid, working, film())), [404, "unknown_runner_token"])
      const back = (yield* jobs).find(({ uuid }) => uuid === low.uuid)
      assert.deepStrictEqual([back?.state.id, back?.failures], [1, 0])
      const other = yield* newRunner("another")
      for (const one of [high, low, offered[0]]) assert.strictEqual((yield* doJob(one, other)).status, 204)
      yield* workUntil(reaches(video.id, "completed"))
      assert.strictEqual((yield* outcome(video.id)).state, 1)
      assert.deepStrictEqual(yield* resultsLeft, [])
    })
  )

  it.effect("runners altogether: what is handed in after they were switched off is refused and goes", () =>
    Effect.gen(function* () {
      const { offered, runner, video } = yield* given("off")
      const [, high, low] = offered
      const working = yield* accept(low.uuid, runner)
      assert.strictEqual((yield* succeed(high.uuid, yield* accept(high.uuid, runner), film())).status, 204)
      assert.strictEqual(yield* (yield* RunnerLadders).recall, 2)
      assert.strictEqual((yield* post(`/jobs/${low.uuid}/update`, { ...working })).status, 404)
      assert.strictEqual((yield* succeed(low.uuid, working, film())).status, 404)
      yield* later("11 minutes")(sweep)
      assert.deepStrictEqual(yield* resultsLeft, [])
      assert.strictEqual(yield* boardState(video.id), "waiting")
      yield* giveUp(video.id)
    })
  )

  it.effect("its jobs, by no way of ours: it does not wait for ever", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { video } = yield* given("lost")
      yield* sql`set local session_replication_role = replica`.pipe(
        Effect.andThen(sql`delete from runner_job where video_id = ${video.id}`),
        sql.withTransaction
      )
      assert.strictEqual(yield* boardState(video.id), "waiting-children")
      const board = yield* RunnerJobBoard
      assert.deepStrictEqual([yield* board.freeLadders, yield* board.freeLadders], [2, 0])
      yield* workUntil(reaches(video.id, "failed"))
      assert.strictEqual((yield* outcome(video.id)).state, 7)
    })
  )

  it.effect("RUN-04: one of its jobs for good: one request has just that done again, and what ended with it", () =>
    Effect.gen(function* () {
      const { offered, owner, runner, video } = yield* given("retried")
      const [sheet, high, low] = offered
      const retry = ({ uuid }: { readonly uuid: string }) => `/api/v1/runners/jobs/${uuid}/retry`
      assert.strictEqual((yield* asRoot("POST", retry(high))).status, 400)
      assert.strictEqual((yield* doJob(low, runner)).status, 204)
      yield* failFor(high, runner, 5)
      assert.deepStrictEqual(yield* statesOf(offered), [1, 4, 3])
      // While the ladder is about to fail nobody waits for it.
      assert.strictEqual((yield* asRoot("POST", retry(high))).status, 409)
      yield* workUntil(reaches(video.id, "failed"))
      yield* sweep
      assert.lengthOf(yield* resultsLeft, 1)

      assert.strictEqual((yield* asRoot("POST", retry(low))).status, 400)
      assert.strictEqual((yield* asRoot("POST", retry(video))).status, 404)
      const refused = yield* send(retry(high), { method: "POST", ...bearer(owner.token) })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual((yield* asRoot("POST", retry(high))).status, 204)
      assert.deepStrictEqual(yield* statesOf(offered), [1, 1, 3])
      assert.strictEqual((yield* outcome(video.id)).state, 2)
      assert.strictEqual(yield* boardState(video.id), "waiting-children")
      const again = (yield* jobs).find(({ uuid }) => uuid === high.uuid)
      assert.deepInclude(again, { failures: 0, error: null })
      for (const one of [sheet, high]) assert.strictEqual((yield* doJob(one, runner)).status, 204)
      yield* workUntil(reaches(video.id, "completed"))
      assert.deepInclude(yield* outcome(video.id), { state: 1, hls: [144, 242], storyboards: 1 })
      assert.deepStrictEqual(yield* resultsLeft, [])
    })
  )

  it.effect("all hope: a request for the video begins its ladder anew, and the old one is over", () =>
    Effect.gen(function* () {
      const { offered, owner, runner, video } = yield* given("anew")
      const [, high, low] = offered
      assert.strictEqual((yield* doJob(low, runner)).status, 204)
      yield* failFor(high, runner, 5)
      yield* workUntil(reaches(video.id, "failed"))
      const order = yield* asRoot("POST", `/api/v1/videos/${video.uuid}/transcoding`, { transcodingType: "hls" })
      assert.strictEqual(order.status, 204)
      assert.strictEqual((yield* asRoot("POST", `/api/v1/runners/jobs/${high.uuid}/retry`)).status, 409)
      yield* workUntil(reaches(video.id, "waiting-children"))
      for (const one of yield* offersOf(runner, video)) assert.strictEqual((yield* doJob(one, runner)).status, 204)
      yield* workUntil(reaches(video.id, "completed"))
      assert.strictEqual((yield* outcome(video.id)).state, 1)
      const gone = yield* send(`/api/v1/videos/${video.uuid}`, { method: "DELETE", ...bearer(owner.token) })
      assert.strictEqual(gone.status, 204)
      yield* later("11 minutes")(sweep)
      assert.deepStrictEqual(yield* resultsLeft, [])
    })
  )

  it.effect("the node while a result arrived: its half is removed when nobody writes to it any more", () =>
    Effect.gen(function* () {
      const directory = (yield* KinoraConfig).storage.tmp_persistent
      const folder = `${directory}/runner-results/arriving-of-a-dead-node`

      yield* Effect.promise(() => mkdir(folder, { recursive: true }))
      yield* Effect.promise(() => writeFile(`${folder}/video.mp4`, "half"))
      yield* later("14 minutes")(sweep)
      assert.deepStrictEqual(yield* resultsLeft, ["arriving-of-a-dead-node"])
      yield* later("16 minutes")(sweep)
      assert.deepStrictEqual(yield* resultsLeft, [])
    })
  )
})
