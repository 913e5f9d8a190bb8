import { assert, layer, vi } from "@effect/vitest"
import { NodeRunnerJobs } from "@kinora/storage/runner/NodeRunnerJobs"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { EncodeSlots } from "../../../src/video/process/EncodeSlots.ts"
import { WorkFolders } from "../../../src/video/process/WorkFolders.ts"
import { LocalRunner } from "../../../src/runner/local/LocalRunner.ts"
import { localTypes, LocalWork, LocalWorkPrevented } from "../../../src/runner/local/LocalWork.ts"
import { LocalRetention } from "../../../src/runner/local/PreventedJobs.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { filesAfterRemovals, outcome, upload } from "../../video/process/Pipeline.ts"
import { oddClip, soundClip } from "../../video/upload/Clips.ts"
import { newUser } from "../../video/upload/UploadNode.ts"
import { doJob, offers } from "../Encoder.ts"
import { boardState, newRunner, reaches, resultsLeft, root, workUntil } from "../Ladders.ts"
import { post } from "../Runners.ts"
import { doAll, eventually, localNode, shownJobs, workLeft } from "./LocalNode.ts"

// Each of them encodes more than once.
vi.setConfig({ testTimeout: 90_000 })

const given = Effect.fnUntraced(function* (name: string, path: string) {
  const video = yield* upload(yield* newUser(name), path)
  yield* workUntil(reaches(video.id, "waiting-children"))
  return video
})

const leftNothing = Effect.gen(function* () {
  assert.deepStrictEqual(yield* workLeft, [])
  assert.deepStrictEqual(yield* resultsLeft, [])
})

/** The job of a video that somebody works on, as soon as there is one. */
const atWork = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const held = sql<{ uuid: string; node: string }>`
    select uuid, node from runner_job where video_id = ${videoId} and state = 2`
  yield* eventually(Effect.map(held, (rows) => rows.length > 0))
  return (yield* held)[0]!
})

/** Ends what a test leaves on the board. */
const dismiss = (videoId: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`update job set state = 'cancelled' where video_id = ${videoId} and state <> 'completed'`
  )

layer(localNode(), { excludeTestServices: true, timeout: 180_000 })("A node that does jobs of runners", (it) => {
  it.effect(
    "makes a whole ladder from the same board, beside a runner",
    () =>
      Effect.gen(function* () {
        const runner = yield* newRunner("beside")
        const video = yield* given("whole", oddClip())
        const [, high] = yield* offers(runner)
        assert.strictEqual((yield* doJob(high!, runner)).status, 204)
        assert.strictEqual(yield* doAll, 2)
        const jobs = yield* shownJobs(video.id)
        assert.deepStrictEqual(
          jobs.map(({ runner: who, state }) => [state.id, who?.id === 0 ? who.name : "a runner"]),
          [
            [3, "a runner"],
            [3, "test"],
            [3, "test"]
          ]
        )
        yield* workUntil(reaches(video.id, "completed"))
        assert.deepInclude(yield* outcome(video.id), { state: 1, web: [144, 242], hls: [144, 242], storyboards: 1 })
        yield* leftNothing
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }),
    90_000
  )

  it.effect("makes a film of a sound", () =>
    Effect.gen(function* () {
      const video = yield* given("sound", soundClip())
      assert.isAbove(yield* doAll, 0)
      yield* workUntil(reaches(video.id, "completed"))
      assert.includeMembers([...(yield* outcome(video.id)).hls], [0])
      yield* leftNothing
    })
  )

  it.effect("gives the job back without a failure when it is stopped, and leaves no files", () =>
    Effect.gen(function* () {
      const video = yield* given("stopped", oddClip())
      const { once } = yield* LocalRunner
      const fiber = yield* Effect.forkScoped(once)
      const held = yield* atWork(video.id)
      assert.strictEqual(held.node, "test")
      yield* eventually(Effect.map(workLeft, (names) => names.length === 1))
      yield* Fiber.interrupt(fiber)
      const after = (yield* shownJobs(video.id)).find(({ uuid }) => uuid === held.uuid)
      assert.deepInclude(after, { failures: 0, error: "The node was stopped", runner: null, progress: null })
      assert.strictEqual(after?.state.id, 1)
      yield* leftNothing
      yield* dismiss(video.id)
    }).pipe(Effect.scoped)
  )

  it.effect("ends the work on a job that is cancelled, and takes the next", () =>
    Effect.gen(function* () {
      const video = yield* given("cancelled", oddClip())
      const { once } = yield* LocalRunner
      const token = yield* root
      const fiber = yield* Effect.forkScoped(once)
      const held = yield* atWork(video.id)
      yield* send(`/api/v1/runners/jobs/${held.uuid}/cancel`, { method: "POST", ...bearer(token) })
      assert.strictEqual(yield* Fiber.join(fiber), "worked")
      yield* leftNothing
      const [again] = (yield* shownJobs(video.id)).filter(({ uuid }) => uuid === held.uuid)
      assert.deepStrictEqual([again?.state.id, again?.failures], [6, 0])
      yield* dismiss(video.id)
    }).pipe(Effect.scoped)
  )

  it.effect("counts what fails, and after five times the ladder fails in its words", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* given("failing", oddClip())
      yield* sql`update video_source set filename = null where video_id = ${video.id}`
      yield* sql`update runner_job set state = 6 where video_id = ${video.id} and type = 'generate-video-storyboard'`
      assert.strictEqual(yield* doAll, 5)
      const jobs = yield* shownJobs(video.id)
      const failed = jobs.find(({ state }) => state.id === 4)
      assert.deepInclude(failed, { failures: 5, error: "The uploaded file is missing" })
      assert.strictEqual(yield* boardState(video.id), "waiting")
      yield* leftNothing
      yield* dismiss(video.id)
    })
  )

  it.effect("counts a death while it worked, and is not heard of the job any more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* given("died", oddClip())
      const [one, other] = yield* shownJobs(video.id)
      for (const [job, node] of [
        [one!, "test"],
        [other!, "another"]
      ] as const) {
        yield* sql`
          update runner_job set state = 2, node = ${node}, token_hash = '\\x00', accepted = 1,
            lease_until = now() + interval '1 minute'
          where uuid = ${job.uuid}::uuid`
      }
      yield* (yield* LocalRunner).takeBack
      const after = yield* shownJobs(video.id)
      const found = (uuid: string) => after.find((job) => job.uuid === uuid)
      assert.strictEqual(found(one!.uuid)?.state.id, 1)
      assert.deepInclude(found(one!.uuid), { failures: 1, runner: null })
      assert.strictEqual(found(other!.uuid)?.runner?.name, "another")
      yield* dismiss(video.id)
    })
  )

  it.effect("gives back what it claimed without being told, and nothing else", () =>
    Effect.gen(function* () {
      const video = yield* given("unanswered", oddClip())
      const jobs = yield* NodeRunnerJobs
      const claim = { types: localTypes, node: "test", lease: "1 minute", pendingFor: 0 } as const
      const [one, other] = [new Uint8Array([1]), new Uint8Array([2])]
      const first = Option.getOrThrow(yield* jobs.claim({ ...claim, tokenHash: one }))
      const second = Option.getOrThrow(yield* jobs.claim({ ...claim, tokenHash: other }))
      yield* jobs.unclaim("another", one)
      yield* jobs.unclaim("test", one)
      const states = new Map(
        (yield* shownJobs(video.id)).map(({ failures, state, uuid }) => [uuid, [state.id, failures]])
      )
      assert.deepStrictEqual(
        [states.get(first.uuid), states.get(second.uuid)],
        [
          [1, 0],
          [2, 0]
        ]
      )
      // It is the most urgent one, and is left to others all the same.
      const next = yield* jobs.claim({ ...claim, tokenHash: new Uint8Array([3]), except: [first.uuid] })
      assert.isFalse(Option.exists(next, ({ uuid }) => uuid === first.uuid))
      yield* dismiss(video.id)
    })
  )

  it.effect("does not encode more at once than it is allowed", () =>
    Effect.gen(function* () {
      const video = yield* given("slots", oddClip())
      const slots = yield* EncodeSlots
      const { once } = yield* LocalRunner
      const goOn = yield* Deferred.make<void>()
      const busy = yield* Deferred.make<void>()
      yield* Effect.forkScoped(slots.within(Effect.andThen(Deferred.succeed(busy, undefined), Deferred.await(goOn))))
      yield* Deferred.await(busy)
      const fiber = yield* Effect.forkScoped(once)
      yield* Effect.yieldNow
      assert.isTrue((yield* shownJobs(video.id)).every(({ state }) => state.id === 1))
      yield* Deferred.succeed(goOn, undefined)
      assert.strictEqual(yield* Fiber.join(fiber), "worked")
      yield* dismiss(video.id)
    }).pipe(Effect.scoped)
  )
})

layer(localNode("5 minutes"), { excludeTestServices: true, timeout: 60_000 })("Jobs that runners may take", (it) => {
  it.effect("are left to them for a while", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { enabled, once } = yield* LocalRunner
      assert.isTrue(enabled)
      const video = yield* given("waiting", oddClip())
      assert.strictEqual(yield* once, "idle")
      const [one, other, third] = yield* shownJobs(video.id)
      const long = sql`now() - interval '301 seconds'`
      yield* sql`update runner_job set created_at = ${long} where video_id = ${video.id}`
      assert.strictEqual(yield* once, "idle")
      // Given back again and again.
      yield* sql`update runner_job set accepted = 3 where uuid = ${one!.uuid}::uuid`
      assert.strictEqual(yield* once, "worked")
      yield* sql`update runner_job set updated_at = ${long} where uuid = ${other!.uuid}::uuid`
      assert.strictEqual(yield* once, "worked")
      assert.strictEqual(yield* once, "idle")
      assert.deepStrictEqual(
        (yield* shownJobs(video.id)).map(({ state, uuid }) => [uuid, state.id]),
        [
          [one!.uuid, 3],
          [other!.uuid, 3],
          [third!.uuid, 1]
        ]
      )
      yield* dismiss(video.id)
    })
  )
})

layer(localNode(-1), { excludeTestServices: true, timeout: 60_000 })("Jobs that are for runners alone", (it) => {
  it.effect("are not done here", () => Effect.map(LocalRunner, ({ enabled }) => assert.isFalse(enabled)))
})

const words = "ffmpeg has no filter zscale"
const narrow = Layer.succeed(LocalWork)({ make: () => Effect.fail(new LocalWorkPrevented({ words })) })
const hasty = Layer.succeed(LocalRetention)({
  withoutRunner: Duration.zero,
  withRunners: Duration.days(1),
  skipFor: Duration.zero
})

layer(
  Layer.fresh(LocalRunner.layer).pipe(
    Layer.provide(Layer.mergeAll(narrow, EncodeSlots.layer, WorkFolders.layer, hasty)),
    Layer.provideMerge(localNode(0, { storyboards: false }))
  ),
  { excludeTestServices: true, timeout: 60_000 }
)("What this node cannot do", (it) => {
  it.effect("waits for a runner, and ends in words that say why when there is none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { once } = yield* LocalRunner
      const runner = yield* newRunner("may do it")
      const video = yield* given("prevented", oddClip())
      const first = Effect.map(shownJobs(video.id), ([job]) => job!)
      assert.strictEqual(yield* once, "prevented")
      assert.deepInclude(yield* first, { failures: 0, error: words })
      assert.strictEqual((yield* first).state.id, 1)
      // It asks for other work alone, and then for none.
      yield* post("/jobs/request", { runnerToken: runner, jobTypes: ["video-transcription"] })
      assert.strictEqual(yield* once, "worked")
      const ended = yield* first
      assert.strictEqual(ended.state.id, 4)
      assert.match(ended.error ?? "", /^No runner did it within .*, and this node cannot: ffmpeg has no filter zscale$/)
      yield* workUntil(reaches(video.id, "failed"))
      assert.deepInclude(yield* outcome(video.id), { state: 7 })
      const [ladder] = yield* sql<{
        error: string
      }>`select error from job where video_id = ${video.id} and state = 'failed'`
      assert.include(ladder?.error ?? "", words)
      // A runner comes, and an administrator has it begun again.
      const again = yield* send(`/api/v1/runners/jobs/${ended.uuid}/retry`, { method: "POST", ...bearer(yield* root) })
      assert.strictEqual(again.status, 204)
      assert.strictEqual((yield* first).state.id, 1)
      for (const offer of yield* offers(runner)) assert.strictEqual((yield* doJob(offer, runner)).status, 204)
      yield* workUntil(reaches(video.id, "completed"))
      assert.deepInclude(yield* outcome(video.id), { state: 1 })
      yield* leftNothing
    })
  )
})
