import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { InboxEffects } from "../../../src/federation/inbox/InboxEffects.ts"
import { InboxRows, type NewActivity } from "../../../src/federation/inbox/InboxRows.ts"
import { InboxTargets } from "../../../src/federation/inbox/InboxTargets.ts"
import { InboxUpkeep } from "../../../src/federation/inbox/InboxUpkeep.ts"
import { RateRows } from "../../../src/social/rating/RateRows.ts"
import { ReadModelRefresher } from "../../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = Layer.mergeAll(
  ReadModelRefresher.layer,
  InboxRows.layer,
  RateRows.layer,
  InboxEffects.layer,
  InboxTargets.layer,
  InboxUpkeep.layer
).pipe(Layer.provideMerge(TestDatabase))

const host = "far.example"
const people = 5

/** People of another instance, as many as `people`, and two videos of ours. */
const setUp = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { videoIds } = yield* seedVideos({ videos: 2, accounts: 1, files: 1 })
  const videos = yield* sql<{
    id: number
    url: string
  }>`select id, url from video where id in ${sql.in(videoIds)} order by id`
  const far = yield* sql<{ id: number; actorId: number; url: string }>`
    with s as (insert into server (host) values (${host}) returning id), a as (
      insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
      select 'Person', 'p' || n, s.id, 'https://far.example/p' || n, 'https://far.example/inbox', 'key'
      from s, generate_series(1, ${people}) n returning id, url
    ), o as (insert into account (actor_id, display_name) select id, 'P' from a order by url returning id, actor_id)
    select o.id, a.id as "actorId", a.url from o join a on a.id = o.actor_id order by a.url`
  return { video: videos[0]!, other: videos[1]!, far }
})

const activity = (
  nth: number,
  type: string,
  actorUrl: string,
  object: string | null,
  more: Partial<NewActivity> = {}
) => ({
  uri: `https://far.example/a/${nth}`,
  type,
  host,
  actorUrl,
  object,
  body: JSON.stringify({ type, object }),
  digest: "one",
  repeatable: true,
  ...more
})

const countsOf = (id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ likes: number; dislikes: number; rows: number }>`
      select likes, dislikes, (select count(*) from account_video_rate where video_id = ${id}) as rows
      from video where id = ${id}`
    return row!
  })

/** Applies leading ratings of people who are known, as the inbox does. */
const applyRatings = Effect.fnUntraced(function* (of: string, most: number) {
  const sql = yield* SqlClient
  const rows = yield* InboxRows
  const rates = yield* RateRows
  const { others, rows: leading } = yield* rows.leading(of, ["Like", "Dislike"], most)
  const found = yield* Effect.forEach(leading, ({ actorUrl, id, object, type }) =>
    Effect.map(
      sql<{ accountId: number; videoId: number }>`
        select o.id as "accountId", v.id as "videoId" from account o join actor a on a.id = o.actor_id, video v
        where a.url = ${actorUrl} and v.url = ${object}`,
      (ids) => ids.map((row) => ({ ...row, id, rating: type === "Like" ? ("like" as const) : ("dislike" as const) }))
    )
  )
  const wanted = found.flat()
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const claimed = yield* rows.claimAll(
        of,
        wanted.map(({ id }) => id)
      )
      yield* rates.setAll(wanted, { remote: true })
      yield* rows.applied([...claimed])
      return { applied: claimed.size, others }
    })
  )
})

layer(services, { excludeTestServices: true })("Inbox", (it) => {
  it.effect("keeps a row an id, applies ratings in order, and each of them once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* InboxRows
      const { far, other, video } = yield* setUp
      yield* sql`update video set likes = 0 where id in (${video.id}, ${other.id})`
      yield* prepareReadModels("http://localhost:9000")
      const wire = yield* ReadModelRefresher
      yield* wire.refresh(100)
      // Counts stand beside the kept texts: these stay as they are.
      const kept = sql`
        select w.xmin::text from video_read_model w where video_id = ${video.id} and summary is not null and details is not null`
      const [before] = yield* kept
      assert.isDefined(before)
      const like = (nth: number, who: number, more: Partial<NewActivity> = {}) =>
        activity(nth, "Like", far[who]!.url, video.url, more)
      const added = yield* rows.add([
        like(1, 0),
        like(2, 1),
        activity(3, "Dislike", far[2]!.url, video.url),
        activity(4, "Dislike", far[1]!.url, video.url),
        like(5, 3),
        activity(6, "Like", "https://far.example/unknown", video.url),
        activity(7, "Follow", far[0]!.url, "http://localhost:9000/accounts/seed1"),
        activity(8, "Like", far[4]!.url, other.url)
      ])
      assert.strictEqual(added.size, 8)
      // The same again, alone and among others: nothing new.
      assert.strictEqual((yield* rows.add([like(1, 0), like(2, 1)])).size, 0)

      assert.strictEqual((yield* applyRatings("FAR.example", 100)).applied, 5)
      assert.deepStrictEqual(yield* countsOf(video.id), { likes: 2, dislikes: 2, rows: 4 })
      yield* sql`update video set comments = comments + 3 where id = ${video.id}`
      assert.deepStrictEqual(yield* kept, [before])
      // What stands behind the Follow has to wait for it, and the unknown one is left.
      assert.deepStrictEqual(yield* applyRatings(host, 100), { applied: 0, others: true })
      const due = yield* rows.due(host, 100)
      assert.deepStrictEqual(
        due.map((it) => it.uri.slice(-1)),
        ["6", "7", "8"]
      )
      assert.deepStrictEqual(due[1]!.body, { type: "Follow", object: "http://localhost:9000/accounts/seed1" })

      yield* rows.refuse(due[0]!.id, "nobody")
      yield* sql.withTransaction(
        Effect.gen(function* () {
          assert.isTrue(yield* rows.claim(host, due[1]!.id))
          yield* rows.applied([due[1]!.id])
        })
      )
      assert.isFalse(yield* rows.claim(host, due[1]!.id))
      assert.deepStrictEqual(yield* applyRatings(host, 100), { applied: 1, others: false })
      assert.deepStrictEqual(yield* countsOf(other.id), { likes: 1, dislikes: 0, rows: 1 })
      assert.deepStrictEqual(yield* rows.due(host, 100), [])
      // Nobody else applies while one does.
      const alone = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* rows.claim(host, 0)
          return yield* sql<{ free: boolean }>`
            select count(*) = 1 as free from pg_locks where locktype = 'advisory' and classid = 1768845922`
        })
      )
      assert.isTrue(alone[0]!.free)
    })
  )

  it.effect("what sets a state may come again under its id, what counts may not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* InboxRows
      const rates = yield* RateRows
      const [video] = yield* sql<{ id: number; url: string }>`select id, url from video order by id limit 1`
      const [who] = yield* sql<{ id: number; url: string }>`
        select o.id, a.url from account o join actor a on a.id = o.actor_id where a.url like '%/p1'`
      yield* sql`delete from account_video_rate`
      yield* sql`update video set likes = 0, dislikes = 0`
      const like = (digest: string) => activity(100, "Like", who!.url, video!.url, { digest })
      yield* rows.add([like("b1")])
      assert.strictEqual((yield* applyRatings(host, 10)).applied, 1)
      const undone = { accountId: who!.id, videoId: video!.id, rating: null, instead: "like" } as const
      assert.strictEqual(yield* rates.setAll([{ ...undone, instead: "dislike" }]), 0)
      assert.strictEqual(yield* rates.setAll([undone]), 1)
      assert.strictEqual(yield* rates.setAll([undone]), 0)
      // Its bytes again are a repetition, other bytes are a new Like.
      assert.strictEqual((yield* rows.add([like("b1")])).size, 0)
      assert.strictEqual((yield* rows.add([like("b2")])).size, 1)
      assert.strictEqual((yield* applyRatings(host, 10)).applied, 1)
      assert.strictEqual((yield* countsOf(video!.id)).likes, 1)
      // Somebody else's id, another type, or what counts: kept as it was.
      assert.strictEqual((yield* rows.add([{ ...like("b3"), actorUrl: "https://far.example/p2" }])).size, 0)
      assert.strictEqual((yield* rows.add([{ ...like("b3"), type: "Dislike" }])).size, 0)
      assert.strictEqual((yield* rows.add([{ ...like("b3"), repeatable: false }])).size, 0)
    })
  )

  it.effect("waits are over in time, and what is done is forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* InboxRows
      const upkeep = yield* InboxUpkeep
      yield* sql`delete from inbox_activity`
      yield* rows.add([
        activity(200, "Update", "https://far.example/p1", null),
        activity(201, "Update", "https://near.example/p1", null, { host: "near.example" })
      ])
      const [first] = yield* rows.due(host, 1)
      yield* rows.postpone(first!.id, "its host is away", 60_000)
      assert.deepStrictEqual(yield* upkeep.dueHosts, ["near.example"])
      const backlog = yield* upkeep.backlog
      assert.deepStrictEqual(backlog.map((it) => `${it.host} ${it.count}`).sort(), ["far.example 1", "near.example 1"])
      assert.isTrue(backlog.every((it) => it.bytes > 10))
      yield* sql`update inbox_activity set not_before = now() - interval '1 second' where id = ${first!.id}`
      assert.strictEqual((yield* rows.due(host, 10))[0]!.attempts, 1)

      yield* rows.refuse(first!.id, "never")
      assert.strictEqual(yield* upkeep.prune(7), 0)
      yield* sql`update inbox_activity set received_at = now() - interval '8 days'`
      assert.strictEqual(yield* upkeep.prune(7), 1)
      assert.deepStrictEqual(yield* upkeep.dueHosts, ["near.example"])
    })
  )

  it.effect("what was put off is withdrawn by its own actor alone, and only what came before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* InboxRows
      yield* sql`delete from inbox_activity`
      const [me, you] = ["https://far.example/p1", "https://far.example/p2"]
      const object = "https://far.example/note"
      yield* rows.add([
        activity(300, "Create", me, object),
        activity(301, "Create", you, object),
        activity(302, "Follow", me, "http://localhost:9000/accounts/seed1"),
        activity(303, "Like", me, "https://far.example/other")
      ])
      for (const { id } of yield* rows.due(host, 10)) yield* rows.postpone(id, "later", 60_000)
      yield* rows.add([activity(310, "Undo", me, "https://far.example/a/303")])
      const [by] = yield* rows.due(host, 10)
      yield* rows.add([activity(311, "Create", me, object)])
      yield* rows.postpone((yield* rows.due(host, 10)).at(-1)!.id, "later", 60_000)
      yield* rows.withdraw(by!, { object })
      yield* rows.withdraw(by!, { formerType: "Follow", formerObject: "http://localhost:9000/accounts/seed1" })
      yield* rows.withdraw(by!, { formerType: "Follow", formerObject: "https://far.example/other" })
      const states = sql<{ nth: string; state: string }>`
        select right(uri, 3) as nth, state from inbox_activity where state <> 'waiting' order by 1`
      assert.deepStrictEqual(
        (yield* states).map((it) => `${it.nth} ${it.state}`),
        ["300 refused", "302 refused"]
      )
      yield* rows.withdraw(by!, { uri: "https://far.example/a/303" })
      assert.strictEqual((yield* states).length, 3)
    })
  )

  it.effect("counters of videos have bounds, and viewers elsewhere go when their time is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const effects = yield* InboxEffects
      const upkeep = yield* InboxUpkeep
      const [video] = yield* sql<{ id: number }>`select id from video order by id limit 1`
      const id = video!.id
      yield* sql`update video set views = 0, downloads = 0 where id = ${id}`
      yield* effects.view(id, host)
      yield* effects.view(id, host)
      yield* effects.download(id, host)
      yield* sql`update remote_counting set counted = 10000`
      yield* effects.view(id, host)
      yield* effects.download(id, host)
      yield* effects.view(id, "other.example")
      const [counts] = yield* sql`select views, downloads from video where id = ${id}`
      assert.deepStrictEqual(counts, { views: 3, downloads: 1 })

      const told = { videoId: id, host, viewers: 1, expiresAt: "2100-01-01T00:00:00.000Z" }
      yield* effects.viewers({ ...told, viewer: "a" })
      yield* effects.viewers({ ...told, viewer: "b" })
      yield* effects.viewers({ ...told, viewer: "b" })
      yield* effects.viewers({ ...told, viewer: "b", host: "other.example", viewers: 500 })
      assert.strictEqual(yield* upkeep.settleViewers, 1)
      assert.strictEqual(yield* upkeep.settleViewers, 0)
      yield* sql`update video_viewers set viewers = 5 where video_id = ${id}`
      const viewers = Effect.map(
        sql<{ n: number }>`select viewers + remote as n from video_viewers where video_id = ${id}`,
        (rows) => rows[0]!.n
      )
      assert.strictEqual(yield* viewers, 7)
      yield* sql`update remote_viewers set expires_at = now() - interval '1 second' where viewer = 'a'`
      assert.strictEqual(yield* upkeep.settleViewers, 1)
      assert.strictEqual(yield* viewers, 6)

      yield* effects.watched(
        {
          videoId: id,
          startedAt: "2026-01-01T00:00:00.000Z",
          endedAt: "2026-01-01T00:01:00.000Z",
          sections: [
            [0, 10],
            [5, 20],
            [50, 999_999]
          ]
        },
        host
      )
      const [seen] = yield* sql<{ watched: string; time: number; duration: number }>`
        select watched::text, watch_time as time, duration from video_viewing w join video v on v.id = w.video_id
        where v.id = ${id} order by w.id desc limit 1`
      assert.strictEqual(seen!.watched, `{[0,20),[50,${seen!.duration})}`)
      assert.strictEqual(seen!.time, 20 + seen!.duration - 50)
    })
  )
})
