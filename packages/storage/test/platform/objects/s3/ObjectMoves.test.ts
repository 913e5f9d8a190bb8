import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readObject } from "../../../../src/platform/objects/ObjectBytes.ts"
import type { ObjectKey } from "../../../../src/platform/objects/ObjectKey.ts"
import { ObjectStore } from "../../../../src/platform/objects/ObjectStore.ts"
import { Removals } from "../../../../src/platform/objects/Removals.ts"
import { ObjectMoves } from "../../../../src/platform/objects/s3/ObjectMoves.ts"
import { S3Setup, S3Store } from "../../../support/objects/S3Store.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"

const Moves = Layer.unwrap(Effect.map(S3Setup, ({ options }) => ObjectMoves.layer(options)))
const Services = Layer.merge(Removals.layer, Moves).pipe(Layer.provideMerge(S3Store), Layer.provideMerge(TestDatabase))

const size = 200_000

/** An object on disk, with random bytes. */
const onDisk = Effect.gen(function* () {
  const { options } = yield* S3Setup
  const key: ObjectKey = { bucket: "web_videos", name: `${randomUUID()}.mp4` }
  const bytes = randomBytes(size)
  const path = join(options.directories.web_videos, key.name)
  writeFileSync(path, bytes)
  return { key, bytes, path }
})

/** Removes at once what was moved away a moment ago. */
const settle = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update object_removal set not_before = now() where store is not null`
  yield* (yield* Removals).settle
})

const placeOf = (key: ObjectKey) => Effect.flatMap(ObjectStore, (store) => Effect.orDie(store.place(key)))
const read = (key: ObjectKey) => Effect.flatMap(ObjectStore, (store) => Effect.orDie(readObject(store, key)))

layer(Services, { excludeTestServices: true })("moves of objects", (it) => {
  it.effect("go to object storage and back, with the same bytes at any time", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const { server } = yield* S3Setup
      const { bytes, key, path } = yield* onDisk
      assert.deepStrictEqual(yield* moves.toS3(key), { outcome: "moved", bytes: size })
      assert.isTrue(existsSync(path))
      assert.isTrue(bytes.equals(yield* read(key)))
      yield* settle
      assert.isFalse(existsSync(path))
      assert.isTrue(bytes.equals(yield* read(key)))
      assert.deepStrictEqual(yield* moves.toS3(key), { outcome: "there", bytes: size })

      assert.deepStrictEqual(yield* moves.toDisk(key), { outcome: "moved", bytes: size })
      assert.isTrue(existsSync(path))
      assert.isTrue(bytes.equals(yield* read(key)))
      yield* settle
      assert.isTrue(bytes.equals(yield* read(key)))
      assert.isFalse(existsSync(join(server.directory, `videos/web/${key.name}._S3rver_object`)))
      assert.deepStrictEqual(yield* moves.toDisk(key), { outcome: "there", bytes: size })
      assert.deepStrictEqual(yield* moves.toDisk({ ...key, name: "none.mp4" }), { outcome: "gone", bytes: 0 })
    })
  )

  it.effect("go on after any request that was their last", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const { server } = yield* S3Setup
      const { bytes, key, path } = yield* onDisk
      const stopAfter = (requests: number) => {
        let seen = 0
        server.proxy.fault = () =>
          seen++ < requests ? undefined : { kind: "status", status: 403, code: "AccessDenied" }
      }
      for (const [move, place] of [
        ["toS3", "S3"],
        ["toDisk", "Disk"]
      ] as const) {
        for (let requests = 0; ; requests++) {
          stopAfter(requests)
          const moved = yield* Effect.result(moves[move](key))
          server.proxy.fault = () => undefined
          assert.isTrue(bytes.equals(yield* read(key)), `${move} ended after ${requests} requests`)
          if (moved._tag === "Success") break
          assert.isBelow(requests, 20)
        }
        yield* settle
        assert.strictEqual((yield* placeOf(key))._tag, place)
        assert.isTrue(bytes.equals(yield* read(key)))
      }
      assert.isTrue(existsSync(path))
    })
  )

  it.effect("there and back again lose nothing to a removal that waits", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const sql = yield* SqlClient
      const { bytes, key } = yield* onDisk
      yield* moves.toS3(key)
      yield* settle
      yield* moves.toDisk(key)
      yield* moves.toS3(key)
      const waiting = yield* sql`select store from object_removal where name = ${key.name}`
      assert.deepStrictEqual(waiting, [{ store: "disk" }])
      yield* settle
      assert.isTrue(bytes.equals(yield* read(key)))
      assert.strictEqual((yield* placeOf(key))._tag, "S3")
    })
  )

  it.effect("do not take damaged bytes, nor leave them behind", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const { server } = yield* S3Setup
      const { key, path } = yield* onDisk
      yield* moves.toS3(key)
      yield* settle
      writeFileSync(join(server.directory, `videos/web/${key.name}._S3rver_object`), randomBytes(size))
      const failure = yield* Effect.flip(moves.toDisk(key))
      assert.isTrue(failure._tag === "S3Failure" && failure.reason === "corrupt")
      assert.isFalse(existsSync(path))
    })
  )

  it.effect("end with an object that is removed meanwhile", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const store = yield* ObjectStore
      const { server } = yield* S3Setup
      const { key, path } = yield* onDisk
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const remove = () => run(store.remove(key))
      let isRemoved = false
      server.proxy.fault = ({ method }) => {
        if (method === "POST" && !isRemoved) {
          isRemoved = true
          remove()
          return { kind: "slow", millis: 500 }
        }
        return undefined
      }
      yield* moves.toS3(key)
      server.proxy.fault = () => undefined
      assert.isFalse(existsSync(path))
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(store.openRead(key))))._tag, "ObjectNotFound")
      assert.isFalse(yield* store.isThere(key))
    })
  )

  it.effect("of which the row was lost are found again", () =>
    Effect.gen(function* () {
      const moves = yield* ObjectMoves
      const store = yield* ObjectStore
      const sql = yield* SqlClient
      const { bytes, key } = yield* onDisk
      yield* moves.toS3(key)
      yield* settle
      yield* sql`delete from s3_object where name = ${key.name}`
      assert.isFalse(yield* store.isThere(key))
      assert.isTrue(yield* store.recover(key))
      assert.isTrue(bytes.equals(yield* read(key)))
      assert.isFalse(yield* store.recover({ ...key, name: "none.mp4" }))
    })
  )
})
