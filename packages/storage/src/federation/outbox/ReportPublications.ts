import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A report by a user of ours, of something of another instance. */
export interface PublishedReport {
  /** Who reported. */
  readonly reporterActorId: number
  /** The actor of this instance. */
  readonly instanceActorId: number
  /** What was reported. */
  readonly objectUrl: string
  /** Whose it is. */
  readonly flaggedUrl: string
  /** (Shared) inbox of whose it is. */
  readonly inbox: string
  readonly reason: string
  /** Contract AbusePredefinedReason. */
  readonly reasons: ReadonlyArray<number>
  readonly startAt: number | null
  readonly endAt: number | null
}

/** Reports as other instances are to have them. */
export class ReportPublications extends Context.Service<
  ReportPublications,
  {
    /** Undefined: it is of something of ours, came from elsewhere, or one of those it is about is gone. */
    readonly of: (abuseId: number) => Effect.Effect<PublishedReport | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/ReportPublications") {
  static readonly layer = Layer.effect(
    ReportPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ReportPublications.of({
        of: Effect.fnUntraced(function* (abuseId: number) {
          const [row] = yield* sql<PublishedReport>`
            select r.id as "reporterActorId", instance_actor() as "instanceActorId", x.url as "objectUrl",
              f.url as "flaggedUrl", inbox_of(f.id) as inbox, b.reason, b.predefined_reasons as reasons,
              b.start_at as "startAt", b.end_at as "endAt"
            from abuse b join account ro on ro.id = b.reporter_account_id join actor r on r.id = ro.actor_id
              join account fo on fo.id = b.flagged_account_id join actor f on f.id = fo.actor_id
              left join video v on v.id = b.video_id left join video_comment c on c.id = b.comment_id,
              lateral (select coalesce(v.url, c.url, case when b.kind = 'account' then f.url end) as url) x
            where b.id = ${abuseId} and b.url is null and r.server_id is null and f.server_id is not null
              and x.url is not null`
          return row
        }, withDatabaseErrors)
      })
    })
  )
}
