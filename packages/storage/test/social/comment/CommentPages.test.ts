import type { VideoId } from "@kinora/domain/ids/Ids"
import { toThreadListQuery } from "@kinora/domain/requests/CommentRequests"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CommentRows } from "../../../src/social/comment/CommentRows.ts"
import { CommentThreads, readThreads } from "../../../src/social/comment/CommentThreads.ts"
import { ReadModelRefresher } from "../../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const newest = toThreadListQuery({})

const idOf = (id: number) => ({ _tag: "Id", id: id as VideoId }) as const

/** What everybody is told, read anew from the comments themselves. */
const truth = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const instance = yield* sql<{ id: number }>`
    select c.id from account c join actor a on a.id = c.actor_id where a.type = 'Application'`
  const values = [videoId, instance.map(({ id }) => id)]
  const read = (eyes: "everybody" | "blocks") =>
    Effect.map(readThreads(sql, "Id", newest, eyes, values), (found) => found!)
  const found = yield* read("everybody")
  return found.differs ? (yield* read("blocks")).body : found.body
})

const told = Effect.fnUntraced(function* (videoId: number) {
  const threads = yield* CommentThreads
  return Option.getOrThrow(yield* threads.list(idOf(videoId), newest)).body
})

/** Asks until the page is kept, so that what comes next can only be told because the page was voided. */
const kept = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  yield* Effect.repeat(
    Effect.andThen(
      told(videoId),
      sql<{ form: string | null }>`select form from comment_page where video_id = ${videoId}`
    ),
    { until: ([row]) => row === undefined || row.form !== null }
  )
})

const services = Layer.mergeAll(CommentRows.layer, CommentThreads.layer, ReadModelRefresher.layer).pipe(
  Layer.provideMerge(TestDatabase)
)

layer(services, { excludeTestServices: true, timeout: 60_000 })("pages of threads that are kept ready", (it) => {
  it.effect("tell every change at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* CommentRows
      const threads = yield* CommentThreads
      const refresher = yield* ReadModelRefresher
      yield* prepareReadModels("https://videos.example")
      yield* sql`
        with a as (
          insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
          values ('Application', 'peertube', 'https://videos.example/accounts/peertube', 'https://videos.example/inbox', 'p', 'p')
          returning id
        ) insert into account (actor_id, display_name) select id, 'Instance' from a`
      const { accountIds, videoIds } = yield* seedVideos({ videos: 2, accounts: 5, files: 1 })
      const videoId = videoIds[0]!
      const [owner] = yield* sql<{ id: number }>`select account_id as id from video where id = ${videoId}`
      const others = accountIds.filter((id) => id !== owner!.id)
      const [first, second, third, fourth] = others as [number, number, number, number]
      const say = (accountId: number, inReplyTo?: number, trusted = true) =>
        Effect.map(rows.add({ videoId, accountId, inReplyTo, text: "Said", trusted }), ({ id }) => id!)
      while ((yield* refresher.refresh(100)) > 0);

      assert.strictEqual(JSON.parse(yield* told(videoId)).total, 0)
      const changed = Effect.fnUntraced(function* <A, E, R>(what: string, change: Effect.Effect<A, E, R>) {
        yield* kept(videoId)
        const before = yield* told(videoId)
        const value = yield* change
        const now = yield* told(videoId)
        assert.notStrictEqual(now, before, what)
        assert.strictEqual(now, yield* truth(videoId), what)
        yield* kept(videoId)
        assert.strictEqual(yield* told(videoId), yield* truth(videoId), `${what}, made anew`)
        return value
      })

      const thread = yield* changed("a thread", say(first))
      const mine = yield* changed("a thread of its own", say(owner!.id))
      const reply = yield* changed("a reply", say(second, thread))
      const last = yield* changed("a reply of the owner", say(owner!.id, reply))
      yield* changed("the name of an author", sql`update account set display_name = 'Renamed' where id = ${first}`)
      const actor = sql`(select actor_id from account where id = ${first})`
      yield* changed(
        "a picture",
        sql`insert into actor_image (actor_id, type, filename, width, height) values (${actor}, 1, 'a.png', 48, 48)`
      )
      yield* changed("its removal", sql`delete from actor_image where actor_id = ${actor}`)
      yield* changed("followers", sql`update actor set followers_count = 7 where id = ${actor}`)
      while ((yield* refresher.refresh(100)) > 0);
      yield* changed(
        "an author of another server",
        sql`with s as (insert into server (host) values ('far.example') returning id)
          update actor set server_id = (select id from s), private_key = null, updated_at = now() where id = ${actor}`
      )
      yield* changed("its host", sql`update server set host = 'farther.example' where host = 'far.example'`)
      yield* changed("another origin", prepareReadModels("https://other.example"))
      yield* changed("text", sql`update video_comment set text = 'Edited', updated_at = now() where id = ${thread}`)

      yield* sql`update video set comments_policy = 3 where id = ${videoId}`
      yield* kept(videoId)
      const before = yield* told(videoId)
      const held = yield* say(third, undefined, false)
      assert.strictEqual(yield* told(videoId), before, "what waits for review is nobody's yet")
      yield* kept(videoId)
      const seenBy = (accountId: number) => threads.ready(idOf(videoId), newest, accountId)
      assert.isTrue(Option.isNone(yield* seenBy(third)), "who wrote it sees something else")
      yield* changed("an approval", rows.approve(held))
      assert.strictEqual(Option.getOrThrow(yield* seenBy(third)).body, yield* told(videoId))

      const block = sql`
        insert into account_block (account_id, target_account_id) values ((
          select c.id from account c join actor a on a.id = c.actor_id where a.type = 'Application'), ${third})`
      yield* changed("a block of the instance", block)
      yield* changed("its end", sql`delete from account_block where target_account_id = ${third}`)
      yield* sql`insert into account_block (account_id, target_account_id) values (${fourth}, ${third})`
      assert.isTrue(Option.isNone(yield* seenBy(fourth)), "who blocks sees something else")
      assert.isTrue(Option.isSome(yield* seenBy(second)))
      yield* changed(
        "a block of a server",
        sql`update video_comment set server_id = (select id from server where host = 'farther.example') where id = ${thread}`.pipe(
          Effect.andThen(sql`
            insert into server_block (account_id, server_id) select c.id, s.id from account c join actor a on a.id = c.actor_id,
              server s where a.type = 'Application' and s.host = 'farther.example'`)
        )
      )
      yield* changed("its end", sql`delete from server_block`)

      yield* changed("no comments any more", sql`update video set comments_policy = 2 where id = ${videoId}`)
      yield* changed("comments again", sql`update video set comments_policy = 1 where id = ${videoId}`)
      yield* changed("another owner", sql`update video set account_id = ${third} where id = ${videoId}`)
      yield* changed("a comment that leaves replies", rows.remove([thread]))
      yield* changed("the last replies", rows.remove([reply, last]))
      yield* changed("a thread without replies", rows.remove([mine]))
      const theirs = yield* say(fourth)
      yield* changed(
        "an account that leaves",
        sql`delete from account where id = ${fourth} and not exists (select from video where account_id = ${fourth})`.pipe(
          Effect.andThen(sql`select 1 from video_comment where id = ${theirs}`),
          Effect.flatMap((left) => (left.length === 0 ? Effect.void : rows.remove([theirs])))
        )
      )
      yield* changed(
        "many threads",
        Effect.forEach(Array.from({ length: 20 }), () => say(first), { discard: true })
      )
      const three = Option.getOrThrow(yield* threads.list(idOf(videoId), { ...newest, count: 3 }))
      assert.deepStrictEqual(
        JSON.parse(three.body).data,
        JSON.parse(yield* told(videoId)).data.slice(0, 3),
        "fewer than are kept"
      )

      // A video takes its comments and its page along.
      yield* sql`delete from video where id = ${videoId}`
      assert.isTrue(Option.isNone(yield* threads.list(idOf(videoId), newest)))
      assert.deepStrictEqual(yield* sql`select 1 from comment_page where video_id = ${videoId}`, [])
    })
  )

  it.effect("are never made of what was there before a change, whoever is first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* CommentRows
      const { accountIds, videoIds } = yield* Effect.map(
        sql<{ accountIds: Array<number>; videoIds: Array<number> }>`
          select (select array_agg(id order by id) from account where user_id is not null) as "accountIds",
            (select array_agg(id order by id desc) from video) as "videoIds"`,
        (found) => found[0]!
      )
      const videoId = videoIds[0]!
      const add = (n: number) =>
        rows.add({ videoId, accountId: accountIds[n % accountIds.length]!, text: `Number ${n}`, trusted: true })
      yield* add(0)

      // Read while a comment is written that nobody sees yet.
      const written = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* add(1)
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(release)
          })
        )
      )
      yield* Deferred.await(written)
      assert.strictEqual(JSON.parse(yield* told(videoId)).total, 1)
      yield* Effect.replicateEffect(told(videoId), 5, { discard: true })
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(writer)
      assert.strictEqual(JSON.parse(yield* told(videoId)).total, 2)
      yield* kept(videoId)
      assert.strictEqual(yield* told(videoId), yield* truth(videoId))

      // Changes and readers at once: who has written something is told of it from then on.
      const known: Array<number> = []
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => n),
        Effect.fnUntraced(function* (n) {
          if (n % 5 === 4 && known.length > 0) yield* rows.remove([known.shift()!])
          else if (n % 5 < 3) {
            const { id } = yield* add(n)
            const body = yield* told(videoId)
            assert.include(body, `"id":${id!},`)
            known.push(id!)
          } else yield* told(videoId)
        }),
        { concurrency: 4, discard: true }
      )
      assert.strictEqual(yield* told(videoId), yield* truth(videoId))
      yield* kept(videoId)
      assert.strictEqual(yield* told(videoId), yield* truth(videoId))
    })
  )
})
