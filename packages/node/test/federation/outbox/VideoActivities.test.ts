import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { OutgoingActivities } from "@kinora/storage/federation/outbox/OutgoingActivities"
import { outboxDatabase, stepwise, recorded, recordedLines, world } from "./Recorded.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

layer(outboxDatabase, { excludeTestServices: true, timeout: 60_000 })("activities of videos", (it) => {
  it.effect("tell what others do not know yet, once, and to those who follow", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { first, instance, second, videoId } = yield* world
      const watch = "/videos/watch/seed-9"
      const everybody = "fan.example peer.example small.example"
      const [video] = yield* sql<{ id: number }>`
        insert into video (channel_id, account_id, url, name, privacy, state)
        values (${first.channelId}, ${first.accountId}, ${`http://localhost:9000${watch}`}, 'New', 1, 2) returning id`
      const id = video!.id
      assert.deepStrictEqual(yield* recordedLines, [], "a video that is not ready is nobody's business")

      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`update video set state = 1, published_at = now(), updated_at = now() where id = ${id}`
          yield* sql`insert into thumbnail (video_id, type, filename, width, height) values (${id}, 1, 'x.jpg', 280, 157)`
          yield* sql`update video set description = 'More', updated_at = now() where id = ${id}`
        })
      )
      const published = yield* recorded
      assert.deepStrictEqual(
        published.map(({ by, hosts, uri, what }) => `${what} ${uri} by ${by} to ${hosts.join(" ")}`),
        [
          `Create Video ${watch}/activity by /accounts/seed1 to small.example`,
          `Announce ${watch}/announces/${first.channel} by /video-channels/seed1_channel to fan.example`,
          `Announce ${watch}/announces/${instance} by /accounts/peertube to peer.example`
        ]
      )

      yield* sql`update video set updated_at = now() where id = ${id}`
      yield* sql`update video set views = views + 7, trend_views = 3 where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [], "nothing new")

      yield* sql`update video set name = 'Renamed', updated_at = now() where id = ${id}`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`update video set name = 'X' where id = ${id}`
          yield* sql`update video set name = 'Renamed' where id = ${id}`
        })
      )
      const update = `Update Video ${watch}/updates/TIME by /accounts/seed1 to ${everybody}`
      assert.deepStrictEqual(yield* recordedLines, [update])
      yield* sql`insert into video_tag (video_id, tag_id) select ${id}, id from tag limit 1`
      assert.deepStrictEqual(yield* recordedLines, [update])

      yield* sql`update video set privacy = 2, updated_at = now() where id = ${id}`
      const gone = `Delete ${watch}/delete by /accounts/seed1 to ${everybody}`
      assert.deepStrictEqual(yield* recordedLines, [gone])
      yield* sql`update video set name = 'Secret', privacy = 3, updated_at = now() where id = ${id}`
      yield* sql`update video set name = 'Behind a password', privacy = 5 where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [], "nothing of what is private")

      yield* sql`update video set privacy = 1 where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [
        `Create Video ${watch}/activity# by /accounts/seed1 to small.example`,
        `Announce ${watch}/announces/${first.channel}# by /video-channels/seed1_channel to fan.example`,
        `Announce ${watch}/announces/${instance}# by /accounts/peertube to peer.example`
      ])

      yield* sql`insert into video_blacklist (video_id) values (${id})`
      yield* sql`update video set name = 'Hidden by moderators', updated_at = now() where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [], "others keep their copies and hear no more")
      yield* sql`update video_blacklist set unfederated = true where video_id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [`Delete ${watch}/delete# by /accounts/seed1 to ${everybody}`])
      yield* sql`delete from video_blacklist where video_id = ${id}`
      assert.strictEqual((yield* recorded).length, 3, "created and announced again")

      yield* sql`update video set state = 2, updated_at = now() where id = ${id}`
      yield* sql`update video set state = 1, updated_at = now() where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [], "its files are replaced: it comes back")
      yield* sql`update video set state = 2, updated_at = now() where id = ${id}`
      yield* sql`update video set privacy = 3, updated_at = now() where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [`Delete ${watch}/delete# by /accounts/seed1 to ${everybody}`])
      yield* sql`update video set state = 1, privacy = 1, updated_at = now() where id = ${id}`
      assert.strictEqual((yield* recorded).length, 3, "nobody has it any more")

      yield* sql`update video set channel_id = ${second.channelId}, account_id = ${second.accountId}, updated_at = now()
        where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [
        `Undo Announce ${watch}/announces/${first.channel}/undo# by /video-channels/seed1_channel to fan.example`,
        `Update Video ${watch}/updates/TIME by /accounts/seed2 to ${everybody}`
      ])

      yield* sql`delete from video where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [`Delete ${watch}/delete# by /accounts/seed2 to ${everybody}`])

      yield* sql`insert into video_blacklist (video_id, unfederated) values (${videoId}, true)`
      assert.match((yield* recordedLines).join(), /^Delete [^,]*$/, "never told, and known to whoever asked")
      yield* sql`delete from video_blacklist where video_id = ${videoId}`
      assert.strictEqual((yield* recorded).length, 3)

      yield* sql`update video set likes = likes + 1 where id = ${videoId}`
      assert.deepStrictEqual(yield* recordedLines, [])
      yield* sql`update video_recount set due = now()`
      yield* (yield* OutboxUpkeep).recount
      assert.strictEqual((yield* recordedLines)[0]?.startsWith("Update Video /videos/watch/seed-"), true)
      yield* (yield* OutboxUpkeep).recount
      assert.deepStrictEqual(yield* recordedLines, [])

      yield* sql`update video set views = views + 1 where id = ${videoId}`
      yield* sql`update video set downloads = downloads + 1 where id = ${videoId}`
      const due = yield* sql<{ soon: boolean }>`select due <= now() + interval '5 seconds' as soon from video_recount`
      assert.deepStrictEqual(due, [{ soon: true }])
      yield* sql`update video_recount set due = now()`
      yield* (yield* OutboxUpkeep).recount
      assert.strictEqual((yield* recordedLines)[0]?.startsWith("Update Video /videos/watch/seed-"), true)
    })
  )

  it.effect("of what others may know say what changed, and unlisted ones are not passed on", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const [kept] = yield* sql<{ id: number; url: string; channel: number; channelId: number; accountId: number }>`
        select v.id, replace(v.url, 'http://localhost:9000', '') as url, c.actor_id as channel, c.id as "channelId",
          v.account_id as "accountId"
        from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
        where a.preferred_username = 'seed1_channel' order by v.id limit 1`
      const { accountId, channel, channelId, id, url } = kept!
      const [instance] = yield* sql<{ id: number }>`select instance_actor() as id`
      const fan = "fan.example peer.example small.example"
      const update = `Update Video ${url}/updates/TIME by /accounts/seed1 to ${fan}`

      // Nobody was told of it: a part that changes is no news of the whole, unless the transaction opens it.
      const caption = (language: string) =>
        sql`insert into video_caption (video_id, language, filename) values (${id}, ${language}, ${`${language}.vtt`})`
      yield* sql`delete from video_published`
      yield* caption("en")
      assert.deepStrictEqual(yield* recordedLines, [update])
      yield* sql`update video set privacy = 3 where id = ${id}`
      yield* sql`delete from video_published`
      yield* recorded
      yield* sql.withTransaction(Effect.andThen(caption("fr"), sql`update video set privacy = 1 where id = ${id}`))
      assert.deepStrictEqual(
        (yield* recorded).map(({ what }) => what),
        ["Create Video", "Announce", "Announce"]
      )
      yield* sql`delete from video_published`
      yield* sql.withTransaction(Effect.andThen(caption("de"), sql`update video set privacy = 3 where id = ${id}`))
      assert.deepStrictEqual(
        (yield* recorded).map(({ what }) => what),
        ["Delete"]
      )
      yield* sql`update video set privacy = 1 where id = ${id}`
      yield* recorded

      // How it is to be played.
      yield* sql`update video set player_theme = 'galaxy', updated_at = now() where id = ${id}`
      yield* sql`update video_channel set player_theme = 'lucide' where id = ${channelId}`
      assert.deepStrictEqual(yield* recordedLines, [
        `Update PlayerSettings ${url}/player-settings/updates/TIME by /accounts/seed1 to ${fan}`,
        `Update PlayerSettings /video-channels/seed1_channel/player-settings/updates/TIME by /video-channels/seed1_channel to ${fan}`
      ])

      // Unlisted, where these are told at all.
      yield* sql`insert into instance_setting (key, value) values ('federation', '{"enabled":true,"federateUnlisted":true}')`
      yield* sql`update video set privacy = 2 where id = ${id}`
      assert.deepStrictEqual(yield* recordedLines, [
        `Undo Announce ${url}/announces/${channel}/undo by /video-channels/seed1_channel to fan.example`,
        `Undo Announce ${url}/announces/${instance!.id}/undo by /accounts/peertube to peer.example`,
        update
      ])
      yield* sql`update video set name = 'Quietly' where id = ${id}`
      const audiences = sql<{ to: ReadonlyArray<string>; cc: ReadonlyArray<string>; object: ReadonlyArray<string> }>`
        select body -> 'to' as to, body -> 'cc' as cc, body -> 'object' -> 'to' as object from activity`
      const followers = ["video-channels/seed1_channel", "accounts/seed1", "accounts/peertube"].map(
        (it) => `http://localhost:9000/${it}/followers`
      )
      assert.deepStrictEqual(yield* audiences, [{ to: followers, cc: [], object: [] }])
      yield* recorded
      const [fresh] = yield* sql<{ id: number }>`
        insert into video (channel_id, account_id, url, name, privacy, state)
        values (${channelId}, ${accountId}, 'http://localhost:9000/videos/watch/quiet', 'Quiet', 2, 1) returning id`
      assert.deepStrictEqual(yield* audiences, [{ to: followers, cc: [], object: [] }])
      assert.deepStrictEqual(yield* recordedLines, [
        `Create Video /videos/watch/quiet/activity by /accounts/seed1 to ${fan}`
      ])
      yield* sql.withTransaction(localComment({ videoId: fresh!.id, accountId, text: "Hush" }))
      assert.deepStrictEqual(
        (yield* audiences).map(({ to }) => to.length),
        [3]
      )
      yield* recorded
      yield* sql`update video set privacy = 1 where id = ${fresh!.id}`
      assert.deepStrictEqual(
        (yield* recorded).map(({ what }) => what),
        ["Announce", "Announce", "Update Video"]
      )
      yield* sql`delete from instance_setting where key = 'federation'`
    })
  )

  it.effect("go to many hosts in one row at first, of which the deliveries are made once and in their order", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { expand } = yield* Effect.provide(OutgoingActivities, OutgoingActivities.layer)
      const [video] = yield* sql<{ id: number; channel: number }>`
        select v.id, c.actor_id as channel from video v join video_channel c on c.id = v.channel_id
          join actor a on a.id = c.actor_id
        where a.preferred_username = 'seed2_channel' order by v.id limit 1`
      const { channel, id } = video!
      yield* sql`
        with hosts as (insert into server (host) select 'many' || n || '.example' from generate_series(1, 150) n returning id, host),
        fans as (
          insert into actor (type, preferred_username, server_id, url, inbox_url, shared_inbox_url, public_key)
          select 'Person', 'fan' || n, id, 'https://' || host || '/fan' || n, 'https://' || host || '/fan' || n || '/inbox',
            'https://' || host || '/inbox', 'public'
          from hosts, generate_series(1, 2) n returning id
        )
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select id, ${channel}, 'accepted', 'https://many.example/follows/' || id from fans`
      yield* recorded
      yield* sql`delete from delivery_fanout`

      yield* sql`update video set name = 'For many', updated_at = now() where id = ${id}`
      yield* sql`delete from actor_follow where target_actor_id = ${channel} and url not like '%7'`
      const hosts = yield* sql`
        select distinct a.server_id from actor_follow f join actor a on a.id = f.actor_id where f.target_actor_id = ${channel}`
      yield* sql`update video set name = 'For few', updated_at = now() where id = ${id}`
      const counts = sql<{ made: number; waiting: number }>`
        select (select count(*)::integer from delivery) as made, (select count(*)::integer from waiting_delivery) as waiting`
      // The instance's own follower, too; what is for few waits for what is for many.
      const waiting = 151 + hosts.length + 1
      assert.deepStrictEqual(yield* counts, [{ made: 0, waiting }])

      // Whoever dies before the end has not begun.
      const died = yield* Effect.flip(sql.withTransaction(Effect.andThen(expand, Effect.fail("killed" as const))))
      assert.strictEqual(died, "killed")
      assert.deepStrictEqual(yield* counts, [{ made: 0, waiting }])

      const made = yield* Effect.all(
        Array.from({ length: 6 }, () => expand),
        { concurrency: 6 }
      )
      assert.strictEqual(made.filter((it) => it).length, 2)
      assert.isFalse(yield* expand)
      assert.deepStrictEqual(yield* counts, [{ made: waiting, waiting }])
      const order = yield* sql`
        select host from delivery d join activity a on a.id = d.activity_id
        group by host, inbox_url having count(*) <> count(distinct activity_id)
          or array_agg(d.activity_id order by d.id) <> array_agg(d.activity_id order by d.activity_id)`
      assert.deepStrictEqual(order, [])
      yield* recorded
    })
  )

  it.effect("are not recorded where the instance does not federate", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      yield* sql`insert into instance_setting (key, value) values ('federation', '{"enabled":false}')`
      yield* sql`update video set name = 'Quiet', updated_at = now()`
      yield* sql`delete from video`
      assert.deepStrictEqual(yield* recordedLines, [])
    })
  )
})
