import { diskPath } from "../../../../storage/test/support/objects/DiskPath.ts"
import { assert, layer } from "@effect/vitest"
import { imageSizes } from "@kinora/domain/enums/ImageSizes"
import { ActorImageRows } from "@kinora/storage/people/actor/ActorImageRows"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Effect, Fiber, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { somebodyWaits } from "../../../../storage/test/support/Waiters.ts"
import { ActorImages } from "../../../src/people/actor/ActorImages.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { newUser } from "../me/Changes.ts"
import { formBody, formType } from "../../video/upload/Form.ts"

/** A file with a picture, as an upload leaves it: top half white, the rest black. */
const picture = Effect.fn("picture")(function* (width: number, height: number) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const half = { create: { width, height: Math.floor(height / 2), channels: 3, background: "#fff" } } as const
  const whole = { create: { width, height, channels: 3, background: "#000" } } as const
  yield* Effect.promise(async () => {
    const top = await sharp(half).png().toBuffer()
    await sharp(whole)
      .composite([{ input: top, gravity: "north" }])
      .png()
      .toFile(`${folder}/picture`)
  })
  return `${folder}/picture`
})

const actorOf = Effect.fn("actorOf")(function* (name: string) {
  const sql = yield* SqlClient
  return (yield* sql<{ id: number }>`select id from actor where preferred_username = ${name}`)[0]!.id
})

const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ name: string; due: boolean }>`
    select name, not_before <= now() as due from object_removal where bucket = 'avatars' order by name`
})

const isStored = (name: string) =>
  Effect.flatMap(ObjectStore, (store) => Effect.isSuccess(store.stat({ bucket: "avatars", name })))

layer(Removals.layer.pipe(Layer.provideMerge(testNode())), { excludeTestServices: true })("ActorImages", (it) => {
  it.effect("makes banners from the middle of a picture, where everybody finds them", () =>
    Effect.gen(function* () {
      yield* newUser("flag")
      const images = yield* ActorImages
      const made = yield* images.set(yield* actorOf("flag_channel"), "banner", yield* picture(100, 400))
      assert.deepStrictEqual(
        made.map(({ height, width }) => ({ width, height })),
        [...imageSizes.banner]
      )
      const channel = (yield* send("/api/v1/video-channels/flag_channel")).json
      assert.deepStrictEqual([channel.banners, channel.avatars], [made, []])
      for (const { fileUrl, path } of made) {
        assert.strictEqual(fileUrl, `http://localhost:9000${path}`)
        assert.match(path, /^\/lazy-static\/banners\//)
        const answer = yield* send(path)
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "image/jpeg"])
      }
      const store = yield* ObjectStore
      const file = yield* diskPath(store, { bucket: "avatars", name: made[1]!.path.split("/").at(-1)! })
      const raw = yield* Effect.promise(() => sharp(file).grayscale().raw().toBuffer())
      assert.isAbove(raw[0]!, 240)
      assert.isBelow(raw.at(-1)!, 15)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps avatar and banner apart", () =>
    Effect.gen(function* () {
      yield* newUser("apart")
      const images = yield* ActorImages
      const actor = yield* actorOf("apart_channel")
      yield* images.set(actor, "banner", yield* picture(60, 10))
      const avatars = yield* images.set(actor, "avatar", yield* picture(10, 10))
      yield* images.remove(actor, "banner")
      const channel = (yield* send("/api/v1/video-channels/apart_channel")).json
      assert.deepStrictEqual([channel.banners, channel.avatars], [[], avatars])
    }).pipe(Effect.scoped)
  )

  it.effect("leaves nothing of an attempt that fails or dies", () =>
    Effect.gen(function* () {
      const removals = yield* Removals
      while ((yield* removals.execute(100)) > 0);
      const images = yield* ActorImages
      const failed = yield* Effect.flip(images.set(2_147_483_647, "avatar", yield* picture(10, 10)))
      assert.strictEqual(failed._tag, "ActorNotFound")
      const left = yield* waiting
      assert.deepStrictEqual(
        left.map(({ due }) => due),
        imageSizes.avatar.map(() => true)
      )
      for (const { name } of left) assert.isTrue(yield* isStored(name))
      yield* removals.execute(100)
      assert.deepStrictEqual(yield* waiting, [])
      for (const { name } of left) assert.isFalse(yield* isStored(name))

      // As far as a process that is killed comes before its files are stored: they go within a day.
      yield* (yield* ActorImageRows).intend(["never.jpg"])
      assert.deepStrictEqual(yield* waiting, [{ name: "never.jpg", due: false }])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps nothing of what was sent", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { storage } = yield* KinoraConfig
      const token = yield* newUser("tidy")
      const content = Buffer.from(yield* fs.readFile(yield* picture(30, 30)))
      for (const [bytes, status] of [
        [content, 200],
        [content.subarray(0, 30), 400]
      ] as const) {
        const answer = yield* send("/api/v1/users/me/avatar/pick", {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": formType },
          body: new Uint8Array(formBody([{ name: "avatarfile", filename: "me.png", content: bytes }]))
        })
        assert.strictEqual(answer.status, status)
        const left = yield* fs.readDirectory(storage.tmp, { recursive: true })
        // The name of the node is its own.
        assert.deepStrictEqual(
          left.filter((name) => name !== "node-id"),
          ["pictures"]
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("waits for who removes the account, instead of storing a picture that nobody finds", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const sql = yield* SqlClient
      const token = yield* newUser("going")
      const actor = yield* actorOf("going")
      const content = Buffer.from(yield* fs.readFile(yield* picture(30, 30)))
      const pick = send("/api/v1/users/me/avatar/pick", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": formType },
        body: new Uint8Array(formBody([{ name: "avatarfile", filename: "me.png", content }]))
      })
      const late = yield* Effect.gen(function* () {
        yield* sql`select 1 from account where actor_id = ${actor} for update`
        const late = yield* Effect.forkChild(pick)
        yield* somebodyWaits
        yield* sql`delete from actor where id = ${actor}`
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.strictEqual(late.status, 404, late.text)
      assert.deepStrictEqual(yield* sql`select 1 from actor_image where actor_id = ${actor}`, [])
    }).pipe(Effect.scoped)
  )
})
