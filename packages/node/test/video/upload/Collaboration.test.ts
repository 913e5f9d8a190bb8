import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { somebodyWaits } from "../../../../storage/test/support/Waiters.ts"
import { ask } from "../../platform/http/TestServer.ts"
import { plainClip } from "./Clips.ts"
import { fieldParts, formBody, formType } from "./Form.ts"
import { newUser, type TestUser, uploadServer } from "./UploadNode.ts"

const bytes = readFileSync(plainClip())
const size = bytes.length

const bearer = (who: TestUser) => ({ authorization: `Bearer ${who.token}` })

/** Announces a resumable upload of the clip to a channel. */
const create = (who: TestUser, channelId: number) =>
  ask("/api/v1/videos/upload-resumable?uploadType=resumable", {
    method: "POST",
    headers: {
      ...bearer(who),
      "content-type": "application/json",
      "x-upload-content-length": String(size),
      "x-upload-content-type": "video/mp4"
    },
    body: JSON.stringify({ name: "Of a collaborator", channelId, filename: "small.mp4" })
  })

/** Sends the whole clip to the upload that was announced. */
const put = (who: TestUser, location: string | undefined) =>
  ask((location ?? "").slice("//localhost:9000".length), {
    method: "PUT",
    headers: {
      ...bearer(who),
      "content-type": "application/octet-stream",
      "content-range": `bytes 0-${size - 1}/${size}`,
      "content-length": String(size)
    },
    body: bytes
  })

const sendForm = (who: TestUser, channelId: number) => {
  const body = formBody([
    ...fieldParts({ name: "Of a form", channelId: String(channelId) }),
    { name: "videofile", filename: "small.mp4", type: "video/mp4", content: bytes }
  ])
  return ask("/api/v1/videos/upload", {
    method: "POST",
    headers: { ...bearer(who), "content-type": formType, "content-length": String(body.length) },
    body
  })
}

/** state 1: invited, 2: accepted, 3: declined. */
const collaborate = Effect.fnUntraced(function* (owner: TestUser, guest: TestUser, state: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_channel_collaborator (channel_id, account_id, state)
    values (${owner.channelId}, ${guest.user.accountId}, ${state})
    on conflict (channel_id, account_id) do update set state = excluded.state`
})

layer(uploadServer(), { excludeTestServices: true })("uploads to a channel of another", (it) => {
  it.effect("are for those who accepted to work on it, and the video is its owner's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [owner, guest] = [yield* newUser("owner"), yield* newUser("guest")]
      const refused = Effect.fnUntraced(function* () {
        const answer = yield* create(guest, owner.channelId)
        assert.deepStrictEqual([answer.status, Object.keys(answer.json["invalid-params"])], [400, ["channelId"]])
      })
      yield* refused()
      for (const state of [1, 3]) {
        yield* collaborate(owner, guest, state)
        yield* refused()
      }
      yield* collaborate(owner, guest, 2)
      const announced = yield* create(guest, owner.channelId)
      assert.strictEqual(announced.status, 201)
      const [session] = yield* sql`
        select user_id as "user", payer_id as payer from upload_session where state = 'open'`
      assert.deepStrictEqual(session, { user: guest.user.id, payer: owner.user.id })
      // The upload is the one's who began it: the owner of the channel has no part in it.
      assert.strictEqual((yield* put(owner, announced.headers.location)).status, 403)
      const done = yield* put(guest, announced.headers.location)
      assert.strictEqual(done.status, 200)
      const uuid = done.json.video.uuid as string
      const rows = yield* sql`
        select v.account_id as account, v.channel_id as channel, k.account_id as by, k.action, k.target_type as type,
          k.target #>> '{video,uuid}' as uuid
        from video v join channel_activity k on k.channel_id = v.channel_id where v.uuid = ${uuid}::uuid`
      assert.deepStrictEqual(rows, [
        {
          account: owner.user.accountId,
          channel: owner.channelId,
          by: guest.user.accountId,
          action: 1,
          type: 1,
          uuid
        }
      ])
      const form = yield* sendForm(guest, owner.channelId)
      assert.strictEqual(form.status, 200)

      // Who is removed while bytes arrive makes no video of them.
      const begun = yield* create(guest, owner.channelId)
      yield* sql`delete from video_channel_collaborator where account_id = ${guest.user.accountId}`
      const late = yield* put(guest, begun.headers.location)
      assert.deepStrictEqual([late.status, Object.keys(late.json["invalid-params"])], [400, ["channelId"]])
      const kept = yield* sql<{ count: number }>`
        select count(*) as count from video where channel_id = ${owner.channelId}`
      assert.strictEqual(kept[0]!.count, 2)
    })
  )

  it.effect("take the quota of its owner", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("paying", size + 10)
      const free = yield* newUser("free")
      const poor = yield* newUser("poor", 0)
      yield* collaborate(owner, free, 2)
      yield* collaborate(owner, poor, 2)
      // The uploader's own quota does not matter, that of the channel's owner does.
      assert.strictEqual((yield* create(poor, poor.channelId)).status, 413)
      const first = yield* create(poor, owner.channelId)
      assert.strictEqual(first.status, 201)
      const second = yield* create(free, owner.channelId)
      assert.deepStrictEqual([second.status, second.json.code], [413, "quota_reached"])
      assert.strictEqual((yield* create(owner, owner.channelId)).status, 413)
      assert.strictEqual((yield* create(free, free.channelId)).status, 201)
      assert.strictEqual((yield* put(poor, first.headers.location)).status, 200)
      const form = yield* sendForm(free, owner.channelId)
      assert.deepStrictEqual([form.status, form.json.code], [413, "quota_reached"])
    })
  )

  it.effect("are refused when the channel goes in the moment in which the video is made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("leaving")
      const announced = yield* create(owner, owner.channelId)
      const late = yield* Effect.gen(function* () {
        yield* sql`delete from video_channel where id = ${owner.channelId}`
        const late = yield* Effect.forkChild(put(owner, announced.headers.location))
        yield* somebodyWaits
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.deepStrictEqual([late.status, Object.keys(late.json["invalid-params"])], [400, ["channelId"]], late.text)
      assert.deepStrictEqual(yield* sql`select 1 from upload_session where user_id = ${owner.user.id}`, [])
    })
  )

  it.effect("do not begin when its owner is deleted in that moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [owner, guest] = [yield* newUser("doomed"), yield* newUser("visitor")]
      yield* collaborate(owner, guest, 2)
      const late = yield* Effect.gen(function* () {
        yield* sql`delete from app_user where id = ${owner.user.id}`
        const late = yield* Effect.forkChild(create(guest, owner.channelId))
        yield* somebodyWaits
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.deepStrictEqual([late.status, Object.keys(late.json["invalid-params"])], [400, ["channelId"]], late.text)
    })
  )

  it.effect("of one request end with the session when who uploads is deleted in that moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("vanishing")
      const late = yield* Effect.gen(function* () {
        yield* sql`delete from app_user where id = ${owner.user.id}`
        const late = yield* Effect.forkChild(sendForm(owner, owner.channelId))
        yield* somebodyWaits
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.deepStrictEqual([late.status, late.json.code], [401, "invalid_token"], late.text)
    })
  )

  it.effect("do not become videos of somebody else when the channel is given away in that moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [giver, taker] = [yield* newUser("giver"), yield* newUser("taker", 1)]
      const announced = yield* create(giver, giver.channelId)
      const late = yield* Effect.gen(function* () {
        yield* sql`update video_channel set account_id = ${taker.user.accountId} where id = ${giver.channelId}`
        const late = yield* Effect.forkChild(put(giver, announced.headers.location))
        yield* somebodyWaits
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.deepStrictEqual([late.status, Object.keys(late.json["invalid-params"])], [400, ["channelId"]], late.text)
      assert.deepStrictEqual(yield* sql`select 1 from video where channel_id = ${giver.channelId}`, [])
    })
  )

  it.effect("wait for who removes the channel, or takes it over, instead of meeting it half way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("unsure")
      const announced = yield* create(owner, owner.channelId)
      const late = yield* Effect.gen(function* () {
        yield* sql`select 1 from account where id = ${owner.user.accountId} for no key update`
        const late = yield* Effect.forkChild(put(owner, announced.headers.location))
        yield* somebodyWaits
        yield* sql`select 1 from video_channel where id = ${owner.channelId} for update`
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.strictEqual(late.status, 200, late.text)
    })
  )

  it.effect("take the quota of who owns the channel when they end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [rich, friend] = [yield* newUser("rich"), yield* newUser("friend")]
      const [small, large] = [yield* newUser("small", size - 1), yield* newUser("large", size)]
      yield* collaborate(rich, friend, 2)
      const announced = yield* create(friend, rich.channelId)
      const give = (to: TestUser) =>
        sql`update video_channel set account_id = ${to.user.accountId} where id = ${rich.channelId}`
      yield* give(small)
      const refused = yield* put(friend, announced.headers.location)
      assert.deepStrictEqual([refused.status, refused.json.code], [413, "quota_reached"])
      yield* give(large)
      assert.strictEqual((yield* put(friend, announced.headers.location)).status, 200)
      const [made] = yield* sql`
        select account_id as account, payer_id as payer from video v join upload_session u on u.result_video_id = v.id
        where v.channel_id = ${rich.channelId}`
      assert.deepStrictEqual(made, { account: large.user.accountId, payer: large.user.id })
    })
  )
})
