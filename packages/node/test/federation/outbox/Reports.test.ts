import { assert, layer } from "@effect/vitest"
import { NewReports } from "@kinora/storage/social/abuse/NewReports"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { remoteComments } from "../../../../storage/test/support/RemoteComments.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { outboxLayer } from "../../../src/federation/outbox/OutboxLayer.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { origin, outboxDatabase, recorded, recordedLines, remoteVideo, world } from "./Recorded.ts"

const plain = { reason: "Not nice", reasons: [], startAt: null, endAt: null, isShown: true } as const

const anonymous = outboxLayer.pipe(
  Layer.provideMerge(Layer.orDie(KinoraConfig.layerTest({ federation: { anonymous_reports: true } }))),
  Layer.provideMerge(TestDatabase)
)

const database = NewReports.layer.pipe(Layer.provideMerge(outboxDatabase))

layer(database, { excludeTestServices: true, timeout: 60_000 })("reports", (it) => {
  it.effect("of what is elsewhere go to its instance, and those of ours to nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const reports = yield* NewReports
      const { fan, first, second, videoId } = yield* world
      const elsewhere = yield* remoteVideo("films.example")
      const [comment] = yield* sql.withTransaction(
        remoteComments(videoId, fan.accountId, [{ url: "https://fan.example/n/1" }])
      )
      yield* recorded
      const report = Effect.fnUntraced(function* (thing: {
        readonly kind: "video" | "comment" | "account"
        readonly id: number
      }) {
        return yield* sql.withTransaction(
          reports.add({ ...plain, reporterId: first.accountId, thing, reasons: [1, 8], startAt: 3, endAt: 9 })
        )
      })
      const id = yield* report({ kind: "video", id: elsewhere.id })
      yield* (yield* Outbox).drain
      const [sent] = yield* sql<{ body: unknown; context: string; lane: number; inbox: string }>`
        select a.body, a.context, d.lane, d.inbox_url as inbox from activity a join delivery d on d.activity_id = a.id`
      assert.deepStrictEqual(sent, {
        body: {
          ...{ type: "Flag", id: `${origin}/admin/abuses/${id}`, actor: `${origin}/accounts/seed1` },
          ...{ object: "https://films.example/videos/watch/1", content: "Not nice", mediaType: "text/markdown" },
          ...{ to: ["https://films.example/accounts/owner"], cc: [], startAt: 3, endAt: 9 },
          tag: ["violentOrRepulsive", "captions"].map((name) => ({ type: "Hashtag", name }))
        },
        ...{ context: "Flag", lane: 1, inbox: "https://films.example/inbox" }
      })
      yield* recorded

      // A comment by somebody elsewhere, and an account; times are of videos.
      const ofComment = yield* sql.withTransaction(
        reports.add({ ...plain, reporterId: first.accountId, thing: { kind: "comment", id: comment! } })
      )
      const ofAccount = yield* sql.withTransaction(
        reports.add({
          ...plain,
          reporterId: second.accountId,
          thing: { kind: "account", id: elsewhere.owner.accountId }
        })
      )
      assert.deepStrictEqual(yield* recordedLines, [
        `Flag /admin/abuses/${ofComment} by /accounts/seed1 to fan.example`,
        `Flag /admin/abuses/${ofAccount} by /accounts/seed2 to films.example`
      ])

      // What is ours, what came from elsewhere, what moderators do, and what is taken back before it is sent.
      yield* sql.withTransaction(
        reports.add({ ...plain, reporterId: first.accountId, thing: { kind: "video", id: videoId } })
      )
      yield* sql`
        insert into abuse (reason, reporter_account_id, flagged_account_id, kind, video_id, target, url)
        select 'From afar', ${fan.accountId}, account_id, 'video', id, jsonb_build_object('id', id), 'https://fan.example/f/1'
        from video where id = ${elsewhere.id}`
      yield* sql`update abuse set state = 3`
      yield* sql.withTransaction(
        Effect.andThen(
          reports.add({ ...plain, reporterId: first.accountId, thing: { kind: "video", id: elsewhere.id } }),
          sql`delete from abuse`
        )
      )
      assert.deepStrictEqual(yield* recordedLines, [])
    })
  )
})

layer(NewReports.layer.pipe(Layer.provideMerge(anonymous)), { excludeTestServices: true, timeout: 60_000 })(
  "anonymous reports",
  (it) => {
    it.effect("are made in the name of the instance", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const reports = yield* NewReports
        const { first } = yield* world
        const elsewhere = yield* remoteVideo("films.example")
        yield* recorded
        const id = yield* sql.withTransaction(
          reports.add({ ...plain, reporterId: first.accountId, thing: { kind: "video", id: elsewhere.id } })
        )
        yield* (yield* Outbox).drain
        const [sent] = yield* sql<{ text: string }>`select body::text as text from activity`
        assert.notInclude(sent!.text, "seed1")
        assert.deepStrictEqual(yield* recordedLines, [
          `Flag /admin/abuses/${id} by /accounts/peertube to films.example`
        ])
      })
    )
  }
)
