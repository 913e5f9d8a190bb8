import { assert, layer } from "@effect/vitest"
import { decodeResumableUpload } from "@kinora/domain/requests/VideoUpload"
import { Deferred, Duration, Effect, Fiber, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { ResumableUploads } from "../../../src/video/upload/ResumableUploads.ts"
import { timedBody } from "../../../src/platform/body/TimedBody.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { UploadSweeper } from "../../../src/video/upload/UploadSweeper.ts"
import { uploadLimits } from "../../../src/video/staging/UploadSettings.ts"
import { newUser, uploadNode } from "./UploadNode.ts"
import { writeFile } from "node:fs/promises"

const drain = (body: Stream.Stream<Uint8Array>) =>
  Effect.scoped(Effect.flatMap(timedBody(body, uploadLimits), ({ next }) => Effect.forever(next)))

layer(uploadNode())("slow clients", (it) => {
  it.effect("are let go when nothing comes, when too little comes, and in the end anyway", () =>
    Effect.gen(function* () {
      const silent = yield* Effect.forkChild(Effect.flip(drain(Stream.never)))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Fiber.join(silent) as Effect.Effect<{ readonly _tag: string }>)._tag, "RequestTimeout")
      const drip = Stream.fromSchedule(Schedule.spaced("20 seconds")).pipe(Stream.map(() => new Uint8Array(1)))
      const dripping = yield* Effect.forkChild(Effect.flip(drain(drip)))
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(
        (yield* Fiber.join(dripping) as Effect.Effect<{ readonly _tag: string }>)._tag,
        "RequestTimeout"
      )
      const steady = Stream.fromSchedule(Schedule.spaced("25 seconds")).pipe(Stream.map(() => new Uint8Array(65_536)))
      const living = yield* Effect.forkChild(Effect.flip(drain(steady)))
      yield* TestClock.adjust("23 hours")
      assert.isUndefined(living.pollUnsafe())
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* Fiber.join(living) as Effect.Effect<{ readonly _tag: string }>)._tag, "RequestTimeout")
    })
  )

  it.effect("give way when they fell silent and somebody goes on", () =>
    Effect.gen(function* () {
      const uploads = yield* ResumableUploads
      const owner = yield* newUser("silent")
      const fields = yield* decodeResumableUpload({ name: "Silent", channelId: owner.channelId, filename: "a.mp4" })
      const id = yield* uploads.newId
      yield* uploads.create(owner.user, fields, { size: 1000, contentType: "video/mp4" }, id, new Map())
      const range = { _tag: "Chunk", start: 0, end: 999, total: 1000 } as const
      const started = yield* Deferred.make<void>()
      const stuck = Stream.concat(
        Stream.make(new Uint8Array(10)),
        Stream.unwrap(Effect.as(Deferred.succeed(started, undefined), Stream.never))
      )
      const first = yield* Effect.forkChild(Effect.flip(uploads.put(owner.user, id, range, 1000, stuck)))
      yield* Deferred.await(started)
      yield* TestClock.adjust("4 seconds")
      const asked = yield* uploads.put(owner.user, id, { _tag: "Status", total: 1000 }, 0, Stream.empty)
      assert.deepStrictEqual(asked, { _tag: "Received", received: 10 })
      assert.strictEqual((yield* Fiber.join(first))._tag, "UploadConflict")
    })
  )

  it.effect("have at most so many uploads open", () =>
    Effect.gen(function* () {
      const uploads = yield* ResumableUploads
      const owner = yield* newUser("many")
      // Each another file: the same one announced again goes on with its upload.
      const open = Effect.fnUntraced(function* (filename: string) {
        const fields = yield* decodeResumableUpload({ name: "Many", channelId: owner.channelId, filename })
        const id = yield* uploads.newId
        return yield* uploads.create(owner.user, fields, { size: 1000, contentType: "video/mp4" }, id, new Map())
      })
      yield* Effect.forEach(
        Array.from({ length: uploadLimits.sessionsPerUser }, (_, i) => `${i}.mp4`),
        open,
        { discard: true }
      )
      assert.strictEqual((yield* Effect.flip(open("one-more.mp4")))._tag, "RateLimited")
    })
  )

  it.effect("leave files that are swept when they have been orphans for a while", () =>
    Effect.gen(function* () {
      const disk = yield* UploadDisk
      const sql = yield* SqlClient
      const { sweep } = yield* UploadSweeper
      const orphan = "a".repeat(48)
      yield* Effect.promise(() => writeFile(disk.path(orphan), "left"))
      yield* Effect.promise(() => writeFile(disk.besides(orphan, "picture-1.jpg"), "left"))
      yield* sweep
      assert.isTrue((yield* disk.ids).has(orphan))
      yield* TestClock.adjust(Duration.sum(uploadLimits.orphanAge, Duration.seconds(1)))
      yield* sweep
      assert.isFalse((yield* disk.ids).has(orphan))
      const rows = yield* sql`select 1 from upload_session where id = ${orphan}`
      assert.lengthOf(rows, 0)
    })
  )
})
