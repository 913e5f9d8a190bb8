import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { publishType, transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { PublishVideo } from "../../../src/video/process/PublishVideo.ts"
import { type Step, StepObserver } from "../../../src/video/process/Steps.ts"
import { TranscodeVideo } from "../../../src/video/process/TranscodeVideo.ts"
import { WorkerPool } from "../../../src/video/process/WorkerPool.ts"
import { plainClip } from "../upload/Clips.ts"
import { filesLeft, newUser, uploadNode } from "../upload/UploadNode.ts"
import { filesAfterRemovals, outcome, upload, workOff } from "./Pipeline.ts"

layer(uploadNode(), { excludeTestServices: true, timeout: 60_000 })("a worker that is stopped", (it) => {
  it.effect("hands its job back unharmed and tidies up", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pool = yield* WorkerPool
      const publish = yield* PublishVideo
      const transcode = yield* TranscodeVideo
      const owner = yield* newUser("stopped")
      const video = yield* upload(owner, plainClip())
      const stopAt = Effect.fnUntraced(function* (step: Step) {
        const there = yield* Deferred.make<void>()
        const wait = (at: Step) =>
          at === step ? Effect.andThen(Deferred.succeed(there, undefined), Effect.never) : Effect.void
        const worker = step.startsWith("publish")
          ? pool.worker([publishType], publish.run)
          : pool.worker([transcodingType], transcode.run)
        const fiber = yield* Effect.forkChild(Effect.provideService(worker, StepObserver, wait))
        yield* Deferred.await(there)
        yield* Fiber.interrupt(fiber)
        const jobs = yield* sql<{ type: string; state: string; attempts: number }>`
          select type, state, attempts from job where video_id = ${video.id} and state <> 'completed'`
        assert.deepStrictEqual(jobs, [
          { type: step.startsWith("publish") ? publishType : transcodingType, state: "waiting", attempts: 0 }
        ])
        assert.deepStrictEqual(
          (yield* filesLeft).filter((name) => name.startsWith("work/")),
          []
        )
      })
      yield* stopAt("publish:made")
      yield* stopAt("publish:stored")
      const worker = yield* Effect.forkChild(pool.worker([publishType], publish.run))
      while ((yield* outcome(video.id)).state !== 1) yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(worker)
      yield* stopAt("transcode:made")
      yield* stopAt("transcode:stored")
      yield* workOff
      assert.deepInclude(yield* outcome(video.id), { state: 1, thumbnails: 2, storyboards: 1, web: [240], hls: [240] })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )

  it.effect("does so at whatever moment it is stopped, also while a tool runs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pool = yield* WorkerPool
      const publish = yield* PublishVideo
      const owner = yield* newUser("moments")
      const video = yield* upload(owner, plainClip())
      const job = Effect.map(
        sql<{ state: string; error: string | null }>`
          select state, error from job where video_id = ${video.id} and type = ${publishType}`,
        (rows) => rows[0]!
      )
      // Spread over the time the job takes: probing, then thumbnails beside the remux, then storing.
      for (const moment of [0, 10, 25, 50, 80, 120, 180, 260, 360, 500]) {
        const worker = yield* Effect.forkChild(pool.worker([publishType], publish.run))
        while ((yield* job).state === "waiting") yield* Effect.sleep("2 millis")
        yield* Effect.sleep(moment)
        yield* Fiber.interrupt(worker)
        const { error, state } = yield* job
        assert.isNull(error, `stopped after ${moment} ms`)
        assert.include(["waiting", "completed"], state, `stopped after ${moment} ms`)
        if (state === "completed") break
      }
      yield* workOff
      assert.deepInclude(yield* outcome(video.id), { state: 1, thumbnails: 2, web: [240], hls: [240] })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )
})
