import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CommentRows } from "../../../src/social/comment/CommentRows.ts"
import { RateRows } from "../../../src/social/rating/RateRows.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/** A number from 0 to 1 that follows from a seed (mulberry32). */
const numbers = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Rows that tell something else than what they would if everything was counted again. */
const wrong = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql`
    with truth as (
      select c.id,
        (select count(*) from video_comment r where r.in_reply_to_comment_id = c.id and r.shown) as children,
        (select count(*) from video_comment r
          where r.origin_comment_id = c.id and r.deleted_at is null and not r.held_for_review) as replies
      from video_comment c
    )
    select c.id, 'comment' as what from video_comment c join truth t using (id)
    where c.children <> t.children or (c.origin_comment_id is null and c.replies <> t.replies)
      or (c.deleted_at is null and c.shown = c.held_for_review) or (c.deleted_at is not null and t.children > 0 and not c.shown)
      or (c.deleted_at is not null and (c.held_for_review or c.text <> '' or c.account_id is not null))
    union all
    select v.id, 'video' from video v where
      v.comments <> (select count(*) from video_comment c
        where c.video_id = v.id and c.deleted_at is null and not c.held_for_review)
      or v.likes <> (select count(*) from account_video_rate r where r.video_id = v.id and r.type = 'like')
      or v.dislikes <> (select count(*) from account_video_rate r where r.video_id = v.id and r.type = 'dislike')`
})

const services = Layer.merge(CommentRows.layer, RateRows.layer).pipe(Layer.provideMerge(TestDatabase))

layer(services, { excludeTestServices: true, timeout: 60_000 })("counts of comments and ratings", (it) => {
  it.effect("are what counting again comes to, after any changes at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* CommentRows
      const rates = yield* RateRows
      yield* prepareReadModels("https://videos.example")
      const { accountIds, videoIds } = yield* seedVideos({ videos: 3, accounts: 6, files: 1 })
      yield* sql`update video set comments = 0, likes = 0, dislikes = 0, comments_policy = case when id % 2 = 0 then 3 else 1 end`
      const random = numbers(6)
      const one = <A>(values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)]!
      const known: Array<{ readonly id: number; readonly videoId: number }> = []
      const said = new Set<string>()

      const change = Effect.fnUntraced(function* () {
        const dice = random()
        const about = known.length === 0 ? undefined : one(known)
        if (about === undefined || dice < 0.55) {
          const videoId = about === undefined || random() < 0.2 ? one(videoIds) : about.videoId
          const inReplyTo = about?.videoId === videoId && random() < 0.85 ? about.id : undefined
          const trusted = random() < 0.4
          const { id, outcome } = yield* rows.add({
            videoId,
            accountId: one(accountIds),
            inReplyTo,
            text: "x",
            trusted
          })
          said.add(outcome)
          if (id !== null) known.push({ id, videoId })
        } else if (dice < 0.7) said.add(yield* rows.approve(about.id))
        else if (dice < 0.75) yield* sql`select * from remove_tombstones('infinity', 5)`
        else if (dice < 0.9) said.add(`removed ${yield* rows.remove([about.id, one(known).id])}`)
        else yield* rates.set(one(accountIds), one(videoIds), one(["like", "dislike", null]))
      })
      yield* Effect.forEach(Array.from({ length: 400 }), change, { concurrency: 8, discard: true })
      // What waits or is gone may never be hit by chance: which comment has which id depends on who is first.
      const videoId = videoIds.find((id) => id % 2 === 0)!
      const add = (inReplyTo: number | undefined, trusted: boolean) =>
        rows.add({ videoId, accountId: accountIds[0]!, inReplyTo, text: "x", trusted })
      const waiting = yield* add(undefined, false)
      for (const { outcome } of [waiting, yield* add(waiting.id!, true)]) said.add(outcome)
      for (let n = 0; n < 2; n++) said.add(yield* rows.approve(waiting.id!))
      const gone = yield* add(undefined, true)
      yield* rows.remove([gone.id!])
      said.add((yield* add(gone.id!, true)).outcome)
      for (const outcome of [
        "written",
        "held",
        "parent deleted",
        "parent held",
        "approved",
        "seen already",
        "removed 2"
      ]) {
        assert.isTrue(said.has(outcome), outcome)
      }
      assert.deepStrictEqual(yield* wrong, [])

      const leaving = accountIds.slice(0, 3)
      yield* sql`delete from account where id in ${sql.in(leaving)} and id not in (select account_id from video)`
      assert.deepStrictEqual(yield* wrong, [])
      yield* Effect.forEach(
        accountIds,
        Effect.fnUntraced(function* (accountId) {
          const ids = yield* rows.of({ accountId }, 1_000)
          yield* rows.remove(ids)
        }),
        { concurrency: 3, discard: true }
      )
      assert.deepStrictEqual(yield* wrong, [])
      assert.deepStrictEqual(yield* sql`select 1 from video_comment where deleted_at is null`, [])
      while ((yield* sql`select * from remove_tombstones('infinity', 100)`).length > 0)
        assert.deepStrictEqual(yield* wrong, [])
      assert.deepStrictEqual(yield* sql`select 1 from video_comment`, [])
    })
  )
})
