import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Queue } from "effect"
import { randomUUID } from "node:crypto"
import { RunnerConfig } from "../../src/config/RunnerConfig.ts"
import { Dispatcher } from "../../src/running/Dispatcher.ts"
import { JobRun, type Outcome } from "../../src/running/JobRun.ts"
import type { Offer } from "../../src/server/Protocol.ts"
import { RunnerServer } from "../../src/server/RunnerServer.ts"
import { JobLost } from "../../src/server/ServerErrors.ts"

const offer = (more: Partial<Offer> = {}): Offer => ({
  uuid: randomUUID(),
  type: "vod-hls-transcoding",
  payload: { output: {} },
  ...more
})

const config = Layer.succeed(RunnerConfig)({
  ...{ concurrency: 2, job_types: ["vod-hls-transcoding"], poll_seconds: 30, grace_seconds: 0, log_level: "Error" },
  media: { threads: 0, preset: "ultrafast", codec: "h264", hardware: "off" },
  storage: { directory: "/nowhere", maxBytes: 1, reserveBytes: 0 }
})

// Nobody answers there: what is asked of the server is answered by the test, and no bell rings.
const entry = { origin: "http://127.0.0.1:1", name: "one", runnerToken: "ptrt-1" }

it.live("takes what it can do, as much at once as it may, and not again what it could not", () =>
  Effect.gen(function* () {
    const taken = offer()
    const custom = offer({ payload: { output: { videoFileCustomUpload: { url: "http://elsewhere" } } } })
    const other = offer({ type: "video-transcription" })
    const [bad, first, second] = [offer(), offer(), offer()]
    const left = new Set([taken, custom, other, bad, first, second])
    const accepted: Array<string> = []
    const begun = yield* Queue.unbounded<string>()
    const ends = new Map([bad, first, second].map(({ uuid }) => [uuid, Deferred.makeUnsafe<Outcome>()]))
    const server = Layer.mock(RunnerServer)({
      // The one that fails is always the most urgent.
      request: () => Effect.sync(() => [...left].sort((a, b) => Number(b === bad) - Number(a === bad))),
      accept: (runner, uuid) =>
        Effect.suspend(() => {
          accepted.push(uuid)
          assert.isBelow(accepted.length, 10, "the same again and again")
          if (uuid === taken.uuid) return Effect.fail(new JobLost({ message: "409" }))
          for (const one of left) if (one.uuid === uuid && one !== bad) left.delete(one)
          return Effect.succeed({ ...runner, uuid, jobToken: "ptrjt-1", type: "vod-hls-transcoding", payload: {} })
        })
    })
    const runs = Layer.succeed(JobRun)({
      run: ({ uuid }) => Effect.andThen(Queue.offer(begun, uuid), Deferred.await(ends.get(uuid)!))
    })
    yield* Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const serving = yield* Effect.forkChild(dispatcher.serve(entry))
      const wanted = yield* Queue.take(begun)
      assert.strictEqual(wanted, bad.uuid)
      left.delete(bad)
      assert.strictEqual(yield* Queue.take(begun), first.uuid)
      // Both permits are taken.
      assert.isTrue(left.has(second))
      left.add(bad)
      yield* Deferred.succeed(ends.get(bad.uuid)!, "failed")
      assert.strictEqual(yield* Queue.take(begun), second.uuid)
      assert.strictEqual(accepted.filter((uuid) => uuid === bad.uuid).length, 1)
      yield* Fiber.interrupt(serving)
      // Stopping to serve does not stop what was begun.
      yield* Deferred.succeed(ends.get(first.uuid)!, "done")
      yield* Deferred.succeed(ends.get(second.uuid)!, "done")
      yield* dispatcher.idle
      assert.notIncludeMembers(accepted, [custom.uuid])
      assert.notIncludeMembers(accepted, [other.uuid])
    }).pipe(Effect.provide(Dispatcher.layer.pipe(Layer.provide([server, runs, config]))))
  })
)

it.live("does not begin a job beside itself, and takes the type that it looked at for the job's", () =>
  Effect.gen(function* () {
    const [again, next] = [offer(), offer()]
    const accepted: Array<string> = []
    const begun = yield* Queue.unbounded<{ readonly uuid: string; readonly type: string }>()
    const end = Deferred.makeUnsafe<Outcome>()
    const server = Layer.mock(RunnerServer)({
      request: () => Effect.succeed([again, ...(accepted.includes(next.uuid) ? [] : [next])]),
      accept: (runner, uuid) =>
        Effect.sync(() => {
          accepted.push(uuid)
          return { ...runner, uuid, jobToken: "ptrjt-1", type: "\u001b[2J", payload: {} }
        })
    })
    const runs = Layer.succeed(JobRun)({
      run: (job) => Effect.andThen(Queue.offer(begun, job), Deferred.await(end))
    })
    yield* Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const serving = yield* Effect.forkChild(dispatcher.serve(entry))
      const first = yield* Queue.take(begun)
      assert.deepStrictEqual([first.uuid, first.type], [again.uuid, again.type])
      // Offered again, as after a silence, while the first of it still goes on.
      assert.strictEqual((yield* Queue.take(begun)).uuid, next.uuid)
      assert.deepStrictEqual(accepted, [again.uuid, next.uuid])
      // Done with, it may be taken again.
      yield* Deferred.succeed(end, "lost")
      assert.strictEqual((yield* Queue.take(begun)).uuid, again.uuid)
      yield* Fiber.interrupt(serving)
    }).pipe(Effect.provide(Dispatcher.layer.pipe(Layer.provide([server, runs, config]))))
  })
)

it.live("stops at once while a server says nothing, and keeps a job that it is just taking", () =>
  Effect.gen(function* () {
    const asked = yield* Queue.unbounded<string>()
    const taken = offer()
    const answer = Deferred.makeUnsafe<void>()
    const server = Layer.mock(RunnerServer)({
      request: ({ origin }) =>
        Effect.andThen(Queue.offer(asked, "request"), origin === entry.origin ? Effect.never : Effect.succeed([taken])),
      accept: (runner, uuid) =>
        Effect.gen(function* () {
          yield* Queue.offer(asked, "accept")
          yield* Deferred.await(answer)
          return { ...runner, uuid, jobToken: "ptrjt-1", type: taken.type, payload: {} }
        })
    })
    const begun = yield* Queue.unbounded<string>()
    const runs = Layer.succeed(JobRun)({ run: ({ uuid }) => Effect.as(Queue.offer(begun, uuid), "done" as const) })
    yield* Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const silent = yield* Effect.forkChild(dispatcher.serve(entry))
      assert.strictEqual(yield* Queue.take(asked), "request")
      yield* Fiber.interrupt(silent)
      const taking = yield* Effect.forkChild(dispatcher.serve({ ...entry, origin: "http://127.0.0.1:2" }))
      assert.strictEqual(yield* Queue.take(asked), "request")
      assert.strictEqual(yield* Queue.take(asked), "accept")
      const stopping = yield* Effect.forkChild(Fiber.interrupt(taking))
      yield* Effect.yieldNow
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* Queue.take(begun), taken.uuid)
    }).pipe(Effect.provide(Dispatcher.layer.pipe(Layer.provide([server, runs, config]))))
  })
)
