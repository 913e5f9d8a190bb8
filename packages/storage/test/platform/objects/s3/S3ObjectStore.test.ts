import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { putBytes, readObject } from "../../../../src/platform/objects/ObjectBytes.ts"
import type { ObjectKey } from "../../../../src/platform/objects/ObjectKey.ts"
import { ObjectStore } from "../../../../src/platform/objects/ObjectStore.ts"
import { Removals } from "../../../../src/platform/objects/Removals.ts"
import * as S3 from "../../../../src/platform/objects/s3/S3ObjectStore.ts"
import { S3Setup, S3Store } from "../../../support/objects/S3Store.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"

const uuid = "0b6c9a3e-6f0f-4f1e-9c39-6a6f3c1f0d11"
const web = (name: string): ObjectKey => ({ bucket: "web_videos", name })
const hls = (name: string): ObjectKey => ({ bucket: "streaming_playlists", name: `${uuid}/${name}` })
const picture = (name: string): ObjectKey => ({ bucket: "thumbnails", name })

const Services = Removals.layer.pipe(Layer.provideMerge(S3Store), Layer.provideMerge(TestDatabase))

/** The same files, with a store that keeps new ones on disk. */
const onDisk = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { options } = yield* S3Setup
    return yield* Effect.provide(work, S3.layer({ ...options, storesNew: false }), { local: true })
  })

const isMissing = (key: ObjectKey) =>
  Effect.gen(function* () {
    const store = yield* ObjectStore
    const failure = yield* Effect.flip(Stream.runDrain(store.openRead(key)))
    return failure._tag === "ObjectNotFound" && Option.isNone(yield* Effect.option(store.stat(key)))
  })

layer(Services, { excludeTestServices: true })("objects in object storage", (it) => {
  it.effect("are stored there by kind, and read in ranges", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const { folder, options, server } = yield* S3Setup
      const bytes = randomBytes(200_000)
      const path = join(folder, "draft")
      yield* Effect.promise(() => writeFile(path, bytes))
      assert.strictEqual((yield* store.put(web("a.mp4"), path)).size, bytes.length)
      assert.isFalse(existsSync(path))
      assert.deepStrictEqual(readdirSync(options.directories.web_videos), [])
      assert.isTrue(bytes.equals(yield* readObject(store, web("a.mp4"))))
      const range = yield* Stream.runCollect(store.openRead(web("a.mp4"), { start: 100, end: 70_000 }))
      assert.isTrue(bytes.subarray(100, 70_001).equals(Buffer.concat(range)))
      assert.strictEqual((yield* store.stat(web("a.mp4"))).size, bytes.length)
      assert.isTrue(yield* store.isThere(web("a.mp4")))
      const acl = server.proxy.seen.find(({ path: at, query }) => at === "/videos/web/a.mp4" && query.has("uploads"))
      assert.strictEqual(acl?.acl, "public-read")
      yield* putBytes(store, picture("a.jpg"), "picture")
      assert.strictEqual(readFileSync(join(options.directories.thumbnails, "a.jpg"), "utf8"), "picture")
    })
  )

  it.effect("say where they are, and are copied for programs", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const { options, server } = yield* S3Setup
      yield* putBytes(store, hls("v.mp4"), "fragments")
      const place = yield* store.place(hls("v.mp4"))
      assert.isTrue(place._tag === "S3" && place.publicUrl === `${server.endpoint}/lists/hls/${uuid}/v.mp4`)
      yield* putBytes(store, { bucket: "captions", name: "c.vtt" }, "text")
      const hidden = yield* store.place({ bucket: "captions", name: "c.vtt" })
      assert.isTrue(hidden._tag === "S3" && hidden.publicUrl === undefined)
      const copied = yield* Effect.scoped(
        Effect.map(store.scopedFile(hls("v.mp4")), (path) => ({ path, text: readFileSync(path, "utf8") }))
      )
      assert.strictEqual(copied.text, "fragments")
      assert.isFalse(existsSync(copied.path))
      assert.deepStrictEqual(readdirSync(options.temporary), [])
    })
  )

  it.effect("are found wherever they are, whatever is configured now", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      yield* putBytes(store, web("there.mp4"), "in object storage")
      yield* onDisk(
        Effect.gen(function* () {
          const other = yield* ObjectStore
          yield* putBytes(other, web("here.mp4"), "on disk")
          assert.strictEqual((yield* readObject(other, web("there.mp4"))).toString(), "in object storage")
        })
      )
      assert.strictEqual((yield* readObject(store, web("here.mp4"))).toString(), "on disk")
      const listed = yield* Stream.runCollect(Stream.map(store.list("web_videos"), ({ key }) => key.name))
      assert.includeMembers([...listed], ["here.mp4", "there.mp4"])
    })
  )

  it.effect("are replaced across both places", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const removals = yield* Removals
      yield* putBytes(store, web("twice.mp4"), "first")
      yield* onDisk(Effect.flatMap(ObjectStore, (other) => putBytes(other, web("twice.mp4"), "second")))
      assert.strictEqual((yield* readObject(store, web("twice.mp4"))).toString(), "second")
      yield* putBytes(store, web("twice.mp4"), "third")
      yield* removals.settle
      assert.strictEqual((yield* readObject(store, web("twice.mp4"))).toString(), "third")
      assert.strictEqual((yield* store.place(web("twice.mp4")))._tag, "S3")
    })
  )

  it.effect("are copied where they are, with the ACL of the other kind", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const { server } = yield* S3Setup
      yield* putBytes(store, web("open.mp4"), "bytes")
      const to = { bucket: "web_videos_private", name: "closed.mp4" } as const
      server.proxy.sent.clear()
      yield* store.copy(web("open.mp4"), to)
      assert.isUndefined(server.proxy.sent.get("/videos/web/open.mp4"))
      assert.strictEqual((yield* readObject(store, to)).toString(), "bytes")
      assert.strictEqual(
        server.proxy.seen.findLast(({ method, path }) => method === "PUT" && path.endsWith("/closed.mp4"))?.acl,
        "private"
      )
      yield* onDisk(Effect.flatMap(ObjectStore, (other) => putBytes(other, web("local.mp4"), "bytes")))
      yield* store.copy(web("local.mp4"), { bucket: "web_videos_private", name: "local.mp4" })
      assert.strictEqual((yield* store.place({ bucket: "web_videos_private", name: "local.mp4" }))._tag, "Disk")
      assert.strictEqual((yield* Effect.flip(store.copy(web("none.mp4"), to)))._tag, "ObjectNotFound")
    })
  )

  it.effect("are removed with all that there is of them", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const removals = yield* Removals
      const sql = yield* SqlClient
      for (const name of ["1.mp4", "2.mp4", "m.m3u8"]) yield* putBytes(store, hls(name), name)
      yield* onDisk(Effect.flatMap(ObjectStore, (other) => putBytes(other, hls("3.mp4"), "disk")))
      yield* putBytes(store, web("gone.mp4"), "x")
      yield* removals.schedule([web("gone.mp4"), { bucket: "streaming_playlists", name: uuid }])
      yield* removals.settle
      for (const key of [web("gone.mp4"), ...["1.mp4", "2.mp4", "3.mp4", "m.m3u8"].map(hls)]) {
        assert.isTrue(yield* isMissing(key), key.name)
      }
      assert.lengthOf(yield* sql`select 1 from s3_object where starts_with(name, ${uuid}) or name = 'gone.mp4'`, 0)
      assert.lengthOf(yield* Stream.runCollect(store.list("streaming_playlists")), 0)
      yield* store.remove(web("gone.mp4"))
    })
  )

  it.effect("wait for their removal while the storage is away", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const removals = yield* Removals
      const sql = yield* SqlClient
      const { server } = yield* S3Setup
      const key = web(`${randomUUID()}.mp4`)
      yield* putBytes(store, key, "x")
      yield* removals.schedule([key])
      server.proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })
      yield* removals.execute(10)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Stream.runDrain(store.openRead(key)))))
      server.proxy.fault = () => undefined
      const [row] = yield* sql<{ attempts: number }>`select attempts from object_removal where name = ${key.name}`
      assert.strictEqual(row?.attempts, 1)
      yield* sql`update object_removal set not_before = now()`
      yield* removals.settle
      assert.isTrue(yield* isMissing(key))
    })
  )

  it.effect("leave no parts where nobody completed them for days", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const sql = yield* SqlClient
      const { server } = yield* S3Setup
      const key = web(`${randomUUID()}.mp4`)
      const uploads = sql`select 1 from s3_upload where name = ${key.name}`
      let parts = 0
      server.proxy.fault = ({ query }) =>
        query.has("partNumber") && ++parts > 1 ? { kind: "status", status: 403, code: "AccessDenied" } : undefined
      assert.isTrue(Exit.isFailure(yield* Effect.exit(putBytes(store, key, randomBytes(200_000)))))
      server.proxy.fault = () => undefined
      assert.lengthOf(yield* uploads, 1)
      assert.strictEqual(yield* store.giveUpUploads(7), 0, "somebody may still continue")
      yield* sql`update s3_upload set created_at = now() - interval '8 days' where name = ${key.name}`
      server.proxy.seen.length = 0
      assert.strictEqual(yield* store.giveUpUploads(7), 1)
      assert.lengthOf(yield* uploads, 0)
      assert.deepStrictEqual(
        server.proxy.seen.map(({ method, path, query }) => [method, path, query.has("uploadId")]),
        [["DELETE", `/videos/web/${key.name}`, true]]
      )
    })
  )

  it.effect("are never removed from where they are by a removal from where they were", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      yield* putBytes(store, web("kept.mp4"), "x")
      yield* store.remove(web("kept.mp4"), "s3")
      assert.strictEqual((yield* readObject(store, web("kept.mp4"))).toString(), "x")
      yield* onDisk(Effect.flatMap(ObjectStore, (other) => putBytes(other, web("also.mp4"), "x")))
      yield* store.remove(web("also.mp4"), "disk")
      assert.strictEqual((yield* readObject(store, web("also.mp4"))).toString(), "x")
    })
  )

  it.effect("are not given to programs with other bytes than were stored", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const { server } = yield* S3Setup
      yield* putBytes(store, web("bent.mp4"), "right")
      yield* Effect.promise(() => writeFile(join(server.directory, "videos/web/bent.mp4._S3rver_object"), "wrong"))
      const exit = yield* Effect.exit(Effect.scoped(store.scopedFile(web("bent.mp4"))))
      assert.isTrue(Exit.isFailure(exit) && String(exit.cause).includes("other bytes"))
    })
  )

  it.effect("have names of ours alone", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const { server } = yield* S3Setup
      server.proxy.seen.length = 0
      for (const name of ["../x.mp4", "/etc/passwd", "a/b.mp4", "a\0b", "%2e%2e", "?uploads", "x y"]) {
        assert.isTrue(yield* isMissing(web(name)), name)
        assert.strictEqual((yield* Effect.flip(store.place(web(name))))._tag, "ObjectNotFound")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(putBytes(store, web(name), "x"))))
      }
      assert.lengthOf(server.proxy.seen, 0)
    })
  )
})
