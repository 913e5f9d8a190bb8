import { assert, layer } from "@effect/vitest"
import { decodeResumableUpload } from "@kinora/domain/requests/VideoUpload"
import { Deferred, Effect, Fiber, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { ResumableUploads } from "../../../src/video/upload/ResumableUploads.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { UploadSweeper } from "../../../src/video/upload/UploadSweeper.ts"
import { plainClip } from "./Clips.ts"
import { filesLeft, newUser, type TestUser, uploadNode } from "./UploadNode.ts"

const bytes = readFileSync(plainClip())
const total = bytes.length
const half = Math.floor(total / 2)

const begin = Effect.fn("begin")(function* (owner: TestUser, size = total, name = "A clip") {
  const uploads = yield* ResumableUploads
  const fields = yield* decodeResumableUpload({ name, channelId: owner.channelId, filename: "../../x\u202e.mp4" })
  const id = yield* uploads.newId
  yield* uploads.create(owner.user, fields, { size, contentType: "video/mp4" }, id, new Map())
  return id
})

const chunk = Effect.fn("chunk")(function* (owner: TestUser, id: string, start: number, end: number, ofTotal = total) {
  const uploads = yield* ResumableUploads
  const body = Stream.make(bytes.subarray(start, end))
  return yield* uploads.put(owner.user, id, { _tag: "Chunk", start, end: end - 1, total: ofTotal }, end - start, body)
})

const ask = Effect.fn("ask")(function* (owner: TestUser, id: string, ofTotal: number | null = total) {
  const uploads = yield* ResumableUploads
  return yield* uploads.put(owner.user, id, { _tag: "Status", total: ofTotal }, 0, Stream.empty)
})

const onDisk = Effect.fn("onDisk")(function* (id: string) {
  const disk = yield* UploadDisk
  return yield* Effect.promise(() => readFile(disk.path(id)))
})

const videosNamed = Effect.fn("videosNamed")(function* (name: string) {
  const sql = yield* SqlClient
  return yield* sql<{ id: number; uuid: string }>`select id, uuid from video where name = ${name}`
})

layer(uploadNode())("resumable uploads", (it) => {
  it.effect("refuses chunks from anywhere but the next byte, and what arrived stays as it was", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("offsets")
      const id = yield* begin(owner)
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: 0 })
      assert.deepStrictEqual(yield* chunk(owner, id, 0, half), { _tag: "Received", received: half })
      const wrong: ReadonlyArray<readonly [number, number, number]> = [
        [half + 1, total, total],
        [half - 1, total, total],
        [0, half, total],
        [0, total, total],
        [total - 1, total, total],
        [half, total, total + 9],
        [half, total - 1, total - 1]
      ]
      for (const [start, end, ofTotal] of wrong) {
        const error = yield* Effect.flip(chunk(owner, id, start, end, ofTotal))
        assert.strictEqual(error._tag, "UploadConflict", `${start}-${end}/${ofTotal}`)
        assert.strictEqual("status" in error ? error.status : 0, 409)
        assert.deepStrictEqual(yield* onDisk(id), bytes.subarray(0, half))
        assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: half })
      }
      const wrongTotal = yield* Effect.flip(ask(owner, id, total + 1))
      assert.strictEqual(wrongTotal._tag, "UploadConflict")
      assert.deepStrictEqual(yield* ask(owner, id, null), { _tag: "Received", received: half })
      const contradicting = yield* Effect.flip(
        (yield* ResumableUploads).put(
          owner.user,
          id,
          { _tag: "Chunk", start: half, end: half + 9, total },
          4,
          Stream.make(bytes.subarray(half, half + 4))
        )
      )
      assert.strictEqual(contradicting._tag, "ChunkRefused")
      assert.deepStrictEqual(yield* onDisk(id), bytes.subarray(0, half))
    })
  )

  it.effect("takes no byte beyond what the range says", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("beyond")
      const uploads = yield* ResumableUploads
      const id = yield* begin(owner)
      const error = yield* Effect.flip(
        uploads.put(
          owner.user,
          id,
          { _tag: "Chunk", start: 0, end: 99, total },
          undefined,
          Stream.make(bytes.subarray(0, 300))
        )
      )
      assert.strictEqual(error._tag, "ChunkRefused")
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: 100 })
      assert.deepStrictEqual(yield* onDisk(id), bytes.subarray(0, 100))
    })
  )

  it.effect("finishes once, answers the repeated last chunk alike, and not after the video was deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("finisher")
      const id = yield* begin(owner, total, "Finished once")
      yield* chunk(owner, id, 0, half)
      const first = yield* chunk(owner, id, half, total)
      assert.strictEqual(first._tag, "Finished")
      assert.deepStrictEqual(yield* chunk(owner, id, half, total), first)
      assert.deepStrictEqual(yield* ask(owner, id), first)
      const made = yield* videosNamed("Finished once")
      assert.strictEqual(made.length, 1)
      const [source] = yield* sql<{ input: string; filename: string }>`
        select input_filename as input, filename from video_source where video_id = ${made[0]!.id}`
      assert.strictEqual(source!.input, "../../x\u202e.mp4")
      assert.match(source!.filename, /^[0-9a-f-]{36}\.mp4$/)
      assert.include(yield* filesLeft, `original_video_files/${source!.filename}`)
      const jobs = yield* sql`select 1 from job where video_id = ${made[0]!.id}`
      assert.strictEqual(jobs.length, 1)
      yield* sql`delete from video where id = ${made[0]!.id}`
      assert.strictEqual((yield* Effect.flip(chunk(owner, id, half, total)))._tag, "UploadForbidden")
      assert.strictEqual((yield* videosNamed("Finished once")).length, 0)
    })
  )

  it.effect("keeps what arrived in order when the body ends early or the client goes away", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("early")
      const uploads = yield* ResumableUploads
      const id = yield* begin(owner)
      const range = { _tag: "Chunk", start: 0, end: total - 1, total } as const
      const short = yield* uploads.put(owner.user, id, range, undefined, Stream.make(bytes.subarray(0, 1000)))
      assert.deepStrictEqual(short, { _tag: "Received", received: 1000 })
      const queue = yield* Queue.unbounded<Uint8Array>()
      const taken = yield* Deferred.make<void>()
      const body = Stream.fromQueue(queue).pipe(
        Stream.tap((part) => (part.length === 1 ? Deferred.succeed(taken, undefined) : Effect.void))
      )
      const fiber = yield* Effect.forkChild(uploads.put(owner.user, id, { ...range, start: 1000 }, undefined, body))
      yield* Queue.offerAll(queue, [bytes.subarray(1000, 1999), bytes.subarray(1999, 2000)])
      yield* Deferred.await(taken)
      // Writing goes on while we are here: a second client is refused and the first is not disturbed.
      const second = yield* Effect.flip(chunk(owner, id, 1000, 1500))
      assert.strictEqual(second._tag, "UploadConflict")
      yield* Fiber.interrupt(fiber)
      const after = yield* ask(owner, id)
      assert.strictEqual(after._tag, "Received")
      const received = after._tag === "Received" ? after.received : -1
      assert.isAtLeast(received, 1999)
      assert.deepStrictEqual(yield* onDisk(id), bytes.subarray(0, received))
    })
  )

  it.effect("is reconciled with the disk after a crash, whichever is ahead", () =>
    Effect.gen(function* () {
      const disk = yield* UploadDisk
      const owner = yield* newUser("crash")
      const id = yield* begin(owner)
      yield* chunk(owner, id, 0, half)
      // Bytes that reached the disk and were never acknowledged are cut off.
      yield* Effect.promise(() => writeFile(disk.path(id), Buffer.concat([bytes.subarray(0, half), Buffer.alloc(77)])))
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: half })
      yield* chunk(owner, id, half, half + 10)
      assert.deepStrictEqual(yield* onDisk(id), bytes.subarray(0, half + 10))
      // A disk that lost bytes makes the client send them again.
      yield* Effect.promise(() => truncate(disk.path(id), 500))
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: 500 })
      yield* Effect.promise(() => rm(disk.path(id)))
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: 0 })
      assert.strictEqual((yield* chunk(owner, id, 0, total))._tag, "Finished")
    })
  )

  it.effect("belongs to its user, whatever the id looks like", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("owner")
      const other = yield* newUser("other")
      const uploads = yield* ResumableUploads
      const id = yield* begin(owner)
      for (const strange of [
        id,
        "../../etc/passwd",
        "/etc/passwd",
        `${id}\u0000`,
        "%2e%2e%2f",
        "x".repeat(4096),
        "CON",
        ""
      ]) {
        assert.strictEqual((yield* Effect.flip(ask(other, strange)))._tag, "UploadForbidden")
        assert.strictEqual((yield* Effect.flip(uploads.cancel(other.user, strange)))._tag, "UploadForbidden")
      }
      assert.deepStrictEqual(yield* ask(owner, id), { _tag: "Received", received: 0 })
    })
  )

  it.effect("removes everything when it is cancelled, and expires when nothing comes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const disk = yield* UploadDisk
      const uploads = yield* ResumableUploads
      const { sweep } = yield* UploadSweeper
      const owner = yield* newUser("leaver")
      const cancelled = yield* begin(owner)
      yield* chunk(owner, cancelled, 0, half)
      yield* uploads.cancel(owner.user, cancelled)
      assert.strictEqual((yield* Effect.flip(ask(owner, cancelled)))._tag, "UploadForbidden")
      const silent = yield* begin(owner)
      yield* chunk(owner, silent, 0, half)
      yield* sql`update upload_session set expires_at = now() - interval '1 second' where id = ${silent}`
      assert.strictEqual((yield* Effect.flip(ask(owner, silent)))._tag, "UploadForbidden")
      assert.strictEqual(yield* sweep, 1)
      const left = (yield* filesLeft).filter((name) => name.includes(cancelled) || name.includes(silent))
      assert.deepStrictEqual(left, [])
      assert.isFalse((yield* disk.ids).has(silent))
    })
  )

  it.effect("refuses bytes that are no video and leaves nothing of them", () =>
    Effect.gen(function* () {
      const uploads = yield* ResumableUploads
      const owner = yield* newUser("poison")
      const id = yield* begin(owner, 20_000, "Poison")
      const rubbish = Buffer.alloc(20_000, "#EXTM3U\nfile:///etc/passwd\n")
      const error = yield* Effect.flip(
        uploads.put(
          owner.user,
          id,
          { _tag: "Chunk", start: 0, end: 19_999, total: 20_000 },
          20_000,
          Stream.make(rubbish)
        )
      )
      assert.strictEqual(error._tag, "UnreadableMedia")
      assert.deepStrictEqual(
        (yield* filesLeft).filter((name) => name.includes(id)),
        []
      )
      assert.strictEqual((yield* Effect.flip(ask(owner, id, null)))._tag, "UploadForbidden")
      assert.strictEqual((yield* videosNamed("Poison")).length, 0)
    })
  )

  it.effect("moves a finished file, and writes it only once when two finish at the same time", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("twins")
      const id = yield* begin(owner, total, "Twins")
      yield* chunk(owner, id, 0, half)
      const both = yield* Effect.all(
        [Effect.result(chunk(owner, id, half, total)), Effect.result(chunk(owner, id, half, total))],
        { concurrency: 2 }
      )
      assert.isTrue(both.some((result) => result._tag === "Success"))
      for (const result of both) {
        if (result._tag === "Failure") assert.include(["UploadConflict", "UploadBeingFinished"], result.failure._tag)
      }
      assert.strictEqual((yield* videosNamed("Twins")).length, 1)
      const disk = yield* UploadDisk
      const gone = yield* Effect.promise(() =>
        stat(disk.path(id)).then(
          () => false,
          () => true
        )
      )
      assert.isTrue(gone)
    })
  )
})
