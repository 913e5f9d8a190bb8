import { assert, layer } from "@effect/vitest"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { NotificationQueue } from "@kinora/storage/social/notification/NotificationQueue"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { defaultNotifications } from "../../../src/people/user/UserPreferences.ts"
import { mentionedNames } from "../../../src/social/notification/event/Mentions.ts"
import { NotificationFanOut } from "../../../src/social/notification/NotificationFanOut.ts"
import { peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

const ways = { defaults: defaultNotifications, mails: true }

/** So many users that follow the owner's channel; every tenth wants a mail too, every hundredth nothing. */
const crowd = (size: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with actors as (
        insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
        select 'Person', 'fan' || n, 'http://localhost:9000/accounts/fan' || n, 'i', 'k', 'p' from generate_series(1, ${size}::integer) n
        returning id, preferred_username as name
      ), users as (
        insert into app_user (username, email, password_hash, role, notification_settings)
        select 'fan' || n, 'fan' || n || '@example.com', 'x', 2,
          case when n % 100 = 0 then '{"newVideoFromSubscription":0}' when n % 10 = 0 then '{"newVideoFromSubscription":3}'
            else '{}' end::jsonb
        from generate_series(1, ${size}::integer) n returning id, username
      ), accounts as (
        insert into account (actor_id, user_id, display_name)
        select a.id, u.id, 'Fan' from actors a join users u on u.username = a.name returning actor_id
      )
      insert into actor_follow (actor_id, target_actor_id, state)
      select f.actor_id, t.id, 'accepted' from accounts f, actor t where t.preferred_username = 'owner_channel'`
  )

layer(Layer.provideMerge(NotificationFanOut.layer, peopledNode), { excludeTestServices: true, timeout: 60_000 })(
  "Notifying many",
  (it) => {
    it.effect("neither loses nor doubles anything, however often it is broken off, by as many as like", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fanOut = yield* NotificationFanOut
        yield* crowd(2500)
        const video = yield* addVideo({ owner: "owner" })
        assert.isTrue(yield* fanOut.step(ways))
        for (let n = 0; n < 3; n++) {
          // As after a death: nothing of what was done stays.
          const broken = yield* Effect.exit(
            sql.withTransaction(Effect.andThen(fanOut.step(ways), Effect.fail("the node dies")))
          )
          assert.strictEqual(broken._tag, "Failure")
        }
        const untilDone = Effect.gen(function* () {
          let steps = 0
          while (yield* fanOut.step(ways)) steps++
          return steps
        })
        yield* Effect.all([untilDone, untilDone, untilDone], { concurrency: "unbounded" })
        while (yield* fanOut.step(ways));
        const [made] = yield* sql`
          select count(*)::integer as rows, count(distinct user_id)::integer as users,
            count(*) filter (where mail_at is not null)::integer as mails
          from user_notification where video_id = ${video.id}`
        assert.deepStrictEqual(made, { rows: 2475, users: 2475, mails: 225 })
        assert.deepStrictEqual(yield* sql`select 1 from notification_event`, [])

        // Hidden before anybody was notified, it is news when it is shown again.
        const hidden = yield* addVideo({ owner: "owner" })
        yield* sql`update video set privacy = 3 where id = ${hidden.id}`
        while (yield* fanOut.step(ways));
        yield* sql`update video set privacy = 1 where id = ${hidden.id}`
        assert.deepStrictEqual(yield* sql`select tag, subject from notification_event`, [
          { tag: "VideoPublished", subject: hidden.id }
        ])
        yield* sql`delete from video where id = ${hidden.id}`
        while (yield* fanOut.step(ways));

        // Of other instances, what is young is news.
        for (const [age, notified] of [
          ["3 days", 0],
          ["1 day", 2475]
        ] as const) {
          const far = yield* addVideo({ owner: "owner" })
          yield* sql`update video set remote = true, published_at = now() - ${age}::interval where id = ${far.id}`
          while (yield* fanOut.step(ways));
          const rows = yield* sql`select 1 from user_notification where video_id = ${far.id}`
          assert.lengthOf(rows, notified, age)
        }
      }).pipe(Effect.orDie)
    )

    it.effect("drops an event that cannot be processed, and goes on with the others meanwhile", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fanOut = yield* NotificationFanOut
        yield* sql`delete from notification_event`
        yield* sql`insert into notification_event (tag, subject) values ('OfALaterVersion', 1)`
        yield* sql`insert into notification_event (tag, subject) select 'UserRegistered', id from app_user where username = 'other'`
        assert.isTrue(yield* fanOut.step(ways))
        assert.isTrue(yield* fanOut.step(ways))
        assert.isFalse(yield* fanOut.step(ways))
        assert.deepStrictEqual(yield* sql`select tag, failures from notification_event`, [
          { tag: "OfALaterVersion", failures: 1 }
        ])
        for (let n = 0; n < 7; n++) {
          yield* sql`update notification_event set not_before = now()`
          yield* fanOut.step(ways)
        }
        assert.deepStrictEqual(yield* sql`select 1 from notification_event`, [])
        // What went wrong is logged each time.
      }).pipe(Effect.provide(Logger.layer([])), Effect.orDie)
    )

    it.effect("tries an event again without alarm when what it is about was removed meanwhile", () => {
      const logged: Array<string> = []
      return Effect.gen(function* () {
        const sql = yield* SqlClient
        const queue = yield* NotificationQueue
        yield* sql`delete from notification_event`
        yield* sql`insert into notification_event (tag, subject) values ('NewFollow', 1)`
        const removedAmid = withDatabaseErrors(
          sql`insert into actor_follow (actor_id, target_actor_id, state) values (0, 0, 'accepted')`
        )
        assert.isTrue(yield* queue.next(() => Effect.as(removedAmid, { _tag: "Done" })))
        assert.deepStrictEqual(yield* sql`select tag, failures, not_before > now() as waits from notification_event`, [
          { tag: "NewFollow", failures: 1, waits: true }
        ])
        assert.notInclude(logged, "Error")
        yield* sql`delete from notification_event`
      }).pipe(
        Effect.provide(
          Layer.merge(NotificationQueue.layer, Logger.layer([Logger.make(({ logLevel }) => logged.push(logLevel))]))
        ),
        Effect.orDie
      )
    })

    it("finds who is mentioned", () => {
      const names = (text: string) => mentionedNames(text, "kinora.example")
      assert.deepStrictEqual(names("@a, (@b.c) @d. @a"), ["a", "b.c", "d"])
      assert.deepStrictEqual(
        names("x@y.example https://h/@z /@z @q@far.example @W@kinora.example @v@Kinora.Example."),
        ["w", "v"]
      )
      assert.strictEqual(names(Array.from({ length: 50 }, (_, n) => `@u${n}`).join(" ")).length, 20)
      // What grows with the square of the length does not end within the test's time.
      names("@".repeat(3_000_000) + "a@".repeat(3_000_000))
    })
  }
)
