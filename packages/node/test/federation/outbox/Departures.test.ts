import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { ChannelWrites } from "@kinora/storage/people/channel/ChannelWrites"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { RemoteDepartures } from "@kinora/storage/federation/remote/RemoteDepartures"
import { UserRemoval } from "@kinora/storage/video/removal/UserRemoval"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import {
  follow,
  origin,
  outboxDatabase,
  remoteActor,
  remoteVideo,
  stepwise,
  recorded,
  recordedLines,
  world
} from "./Recorded.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"
import { rate } from "../../../../storage/test/support/Ratings.ts"
import { remoteComments } from "../../../../storage/test/support/RemoteComments.ts"

class Here extends Context.Service<Here, Effect.Success<typeof world>>()("test/Here") {}

const services = Layer.mergeAll(
  Layer.effect(Here, world),
  UserRemoval.layer,
  ChannelWrites.layer,
  OutboxUpkeep.layer,
  RemoteDepartures.layer
).pipe(Layer.provideMerge(outboxDatabase))

/** So many deliveries, and how many of them are about what. */
const counts = Effect.gen(function* () {
  yield* (yield* Outbox).drain
  const sql = yield* stepwise
  const [row] = yield* sql<{ activities: number; deliveries: number }>`
    select (select count(*)::integer from activity) as activities, (select count(*)::integer from delivery) as deliveries`
  return [row!.activities, row!.deliveries]
})

const addVideos = Effect.fn("addVideos")(function* (channelId: number, accountId: number, count: number, name: string) {
  const sql = yield* stepwise
  const rows = yield* sql<{ id: number }>`
    insert into video (channel_id, account_id, url, name, privacy, state)
    select ${channelId}, ${accountId}, ${`${origin}/videos/watch/${name}`} || n, ${name}, 1, 1 from generate_series(1, ${count}) n
    returning id`
  return rows.map(({ id }) => id)
})

const addChannel = Effect.fn("addChannel")(function* (accountId: number, name: string) {
  const sql = yield* stepwise
  const url = `${origin}/video-channels/${name}`
  const [row] = yield* sql<{ id: number; actorId: number }>`
    with made as (
      insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
      values ('Group', ${name}, ${url}, ${`${url}/inbox`}, 'p', 'p') returning id
    )
    insert into video_channel (actor_id, account_id, display_name) select id, ${accountId}, ${name} from made
    returning id, actor_id as "actorId"`
  return row!
})

/** Replies to the comment at an address. */
const answer = Effect.fn("answer")(function* (
  url: string,
  comment: { readonly videoId: number; readonly accountId: number; readonly text: string }
) {
  const sql = yield* stepwise
  const [above] = yield* sql<{ id: number }>`select id from video_comment where url = ${url}`
  return yield* sql.withTransaction(localComment({ ...comment, inReplyTo: above!.id }))
})

layer(services, { excludeTestServices: true, timeout: 60_000 })("who leaves", (it) => {
  it.effect("costs one activity, however much goes with it", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { first, second, videoId } = yield* Here
      const [{ id: other } = { id: 0 }] = yield* sql<{
        id: number
      }>`select id from video where account_id = ${second.accountId}`

      // A channel of many videos, one of which came from elsewhere.
      const extra = yield* addChannel(first.accountId, "extra")
      const late = yield* remoteActor("late.example", "late")
      yield* follow(late.id, extra.actorId)
      yield* addVideos(extra.id, first.accountId, 5, "extra")
      const [moved] = yield* addVideos(second.channelId, second.accountId, 1, "moved")
      const former = yield* remoteActor("former.example", "former")
      yield* follow(former.id, second.channel)
      yield* sql`update video set name = 'Moved' where id = ${moved!}`
      yield* sql`update video set channel_id = ${extra.id}, account_id = ${first.accountId} where id = ${moved!}`
      yield* recorded
      assert.strictEqual(yield* (yield* ChannelWrites).remove(extra.id), "removed")
      assert.sameMembers(
        [...(yield* recordedLines)],
        [
          "Delete /video-channels/extra/delete by /video-channels/extra to late.example peer.example small.example",
          "Delete /videos/watch/moved1/delete by /accounts/seed1 to former.example"
        ]
      )

      // Somebody who has said and shown much.
      yield* addVideos(first.channelId, first.accountId, 30, "many")
      for (let i = 0; i < 20; i++) {
        const follower = yield* remoteActor(`follower${i}.example`, "follower")
        yield* follow(follower.id, i % 2 === 0 ? first.account : first.channel)
      }
      const speaker = yield* remoteActor("thread.example", "speaker")
      yield* remoteActor("mentioned.example", "somebody")
      yield* sql.withTransaction(
        remoteComments(other, speaker.accountId, [{ url: "https://thread.example/1", text: "Hm" }])
      )
      yield* answer("https://thread.example/1", {
        videoId: other,
        accountId: first.accountId,
        text: "Well, @somebody@mentioned.example"
      })
      yield* sql.withTransaction(
        Effect.forEach(Array.from({ length: 199 }), (_, n) =>
          localComment({ videoId: other, accountId: first.accountId, text: `Word ${n + 1}` })
        )
      )
      const elsewhere = yield* remoteVideo("films.example")
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, "like"))
      yield* recorded
      const [user] = yield* sql<{ id: number }>`select user_id as id from account where id = ${first.accountId}`
      assert.isTrue(yield* (yield* UserRemoval).remove(user!.id))
      const [activities, deliveries] = yield* counts
      // Ten and fan.example follow the channel; all, two more and the instance's follower hear of the account; and five who met
      // it elsewhere.
      assert.deepStrictEqual([activities, deliveries], [2, 11 + 23 + 4])
      // Their keys are kept for two days, and not for a week.
      const upkeep = yield* OutboxUpkeep
      yield* sql`update video set name = 'Still here' where id = ${other}`
      yield* sql`update delivery set created_at = now() - interval '47 hours'`
      yield* upkeep.prune
      assert.deepStrictEqual(yield* counts, [3, 38 + 2])
      const [channel, account] = yield* recorded
      assert.deepStrictEqual(
        [channel?.uri, account?.uri],
        ["/video-channels/seed1_channel/delete", "/accounts/seed1/delete"]
      )
      for (const host of ["thread.example", "mentioned.example", "films.example", "former.example"]) {
        assert.include(account?.hosts, host)
      }
      assert.deepStrictEqual(yield* sql`select id from video where id = ${videoId}`, [])
      assert.deepStrictEqual(yield* sql`select id from video_comment where text <> '' and server_id is null`, [])
    })
  )

  it.effect("is handed over, and said of each", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { second, instance } = yield* Here
      const ids = yield* addVideos(second.channelId, second.accountId, 30, "given")
      yield* recorded
      yield* sql`update video set updated_at = now() where id = any(${ids}::int[])`
      yield* sql`update video set name = 'New name', updated_at = now() where id = any(${ids}::int[])`
      const updates = yield* recorded
      assert.deepStrictEqual([...new Set(updates.map(({ what }) => what))], ["Update Video"])
      assert.strictEqual(updates.length, 30)
      assert.deepStrictEqual(yield* sql`select video_id from video_recount`, [])
      // What is taken away is not put off.
      yield* sql`update video set privacy = 3 where id = any(${ids}::int[])`
      assert.deepStrictEqual(
        (yield* recorded).map(({ what }) => what),
        ids.map(() => "Delete")
      )
      assert.isAbove(instance, 0)
    })
  )

  it.effect("of an actor elsewhere is removed in turns, whoever takes them", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { second } = yield* Here
      const [video] = yield* addVideos(second.channelId, second.accountId, 1, "talk")
      const talker = yield* remoteActor("talk.example", "talker")
      const words = Array.from({ length: 230 }, (_, n) => ({ url: `https://talk.example/${n + 1}`, hold: n >= 200 }))
      yield* sql.withTransaction(remoteComments(video!, talker.accountId, words))
      yield* answer("https://talk.example/1", { videoId: video!, accountId: second.accountId, text: "Answer" })
      yield* sql.withTransaction(rate(talker.accountId, video!, "like"))
      const far = yield* remoteVideo("talk.example")
      yield* sql`update video set account_id = ${talker.accountId} where id = ${far.id}`
      yield* follow(talker.id, second.channel)
      yield* recorded
      const departures = yield* RemoteDepartures
      assert.isFalse(yield* departures.begin("https://talk.example/accounts/nobody"))
      assert.isFalse(yield* departures.begin(`${origin}/accounts/seed2`))
      assert.isTrue(yield* departures.begin(talker.url))
      assert.isFalse(yield* departures.begin(talker.url), "once")
      const left = sql<{ left: number }>`
        select count(*)::integer as left from video_comment where account_id = ${talker.accountId}`
      assert.deepStrictEqual(yield* left, [{ left: 130 }], "the first turn ends somewhere, and is kept")
      let turns = 0
      while (yield* departures.next) turns++
      assert.strictEqual(turns, 2)
      assert.deepStrictEqual(yield* sql`select url from actor where url = ${talker.url}`, [])
      assert.deepStrictEqual(yield* sql`select id from video where id = ${far.id}`, [])
      const kept = yield* sql`select url, text, deleted_at is not null as deleted from video_comment
        where video_id = ${video!} and server_id is null order by id`
      assert.deepStrictEqual(kept[0], { url: "https://talk.example/1", text: "", deleted: true })
      assert.strictEqual(kept.length, 2, "what was answered stays as a place, the rest goes")
      const [{ likes, comments } = { likes: -1, comments: -1 }] = yield* sql<{ likes: number; comments: number }>`
        select likes, comments from video where id = ${video!}`
      assert.deepStrictEqual([likes, comments], [0, 1])
      const lines = yield* recorded
      assert.strictEqual(lines.length, 200, "what nobody has seen is not spoken of")
      for (const { by, hosts, what } of lines) {
        assert.deepStrictEqual([what, by, hosts.includes("talk.example")], ["Delete", "/accounts/seed2", false])
      }

      // What cannot be removed now does not keep its owner, and is not in the way of others.
      const stuck = yield* remoteVideo("stuck.example")
      yield* sql.unsafe(
        `create function no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
      )
      yield* sql.unsafe(
        `create trigger no before delete on video for each row when (old.id = ${stuck.id}) execute function no()`
      )
      const other = yield* remoteActor("quick.example", "other")
      assert.isTrue(yield* departures.begin(stuck.owner.url))
      yield* sql`insert into actor_departure (actor_id) values (${other.id})`
      while (yield* departures.next);
      const still = sql`select url from actor where url in (${stuck.owner.url}, ${other.url})`
      assert.deepStrictEqual(yield* still, [{ url: stuck.owner.url }])
      yield* sql.unsafe("drop trigger no on video")
      assert.isFalse(yield* departures.next, "it has its time")
      yield* sql`update actor_departure set next_at = now()`
      while (yield* departures.next);
      assert.deepStrictEqual(yield* still, [])
    })
  )
})
