import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** How long rows are kept that only grow in number. */
const keptFor = {
  /** What was done in a channel, as its owner and collaborators see it. */
  channelActivity: Duration.days(365),
  /** Imports of videos that came to nothing, or whose video is gone. The rest record what was imported before. */
  endedImports: Duration.days(180),
  /** Imports of archives, and what they have made: until then an archive can be imported again without doing it twice. */
  archiveImports: Duration.days(365),
  /** What administrators did. */
  auditEntries: Duration.days(3 * 365),
  /** Deleted comments that nobody answers: readers see until then that there was one. Their text is gone at once. */
  deletedComments: Duration.days(30),
  /** Views by day. Trends and figures look back a year at most. */
  viewsByDay: Duration.days(400),
  /** Figures of the instance by hour: plots look back two years. */
  samples: Duration.days(740)
} as const

const batch = 5000
/** Each of them holds a video. */
const commentBatch = 500

/** Deletes rows that nobody needs any more. */
export class OldRows extends Context.Service<
  OldRows,
  {
    /** Deletes what is too old, in short transactions; answers how many rows. */
    readonly remove: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/OldRows") {
  static readonly layer = Layer.effect(
    OldRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const before = (age: Duration.Duration) => sql`now() - make_interval(secs => ${Duration.toSeconds(age)})`
      const rounds = [
        sql`delete from audit_entry where id in (
          select id from audit_entry where created_at < ${before(keptFor.auditEntries)} order by created_at limit ${batch})
          returning 1`,
        sql`delete from channel_activity where id in (
          select id from channel_activity where created_at < ${before(keptFor.channelActivity)} order by id limit ${batch})
          returning 1`,
        sql`delete from video_import where id in (
          select id from video_import where updated_at < ${before(keptFor.endedImports)}
            and (state in (3, 4, 5) or state = 2 and video_id is null and channel_sync_id is null) order by id limit ${batch})
          returning 1`,
        sql`delete from user_import_item i where ctid in (
          select i.ctid from user_import_item i where i.created_at < ${before(keptFor.archiveImports)}
            and not exists (select 1 from user_import u where u.id = i.import_id and u.state in (1, 2)) limit ${batch})
          returning 1`,
        sql`delete from user_import where id in (
          select id from user_import where state in (3, 4) and updated_at < ${before(keptFor.archiveImports)}
          order by id limit ${batch}) returning 1`,
        sql`delete from replaced_video_file where filename in (
          select filename from replaced_video_file where kept_until < now() order by kept_until limit ${batch}) returning 1`,
        sql`delete from video_view_day where (video_id, day) in (
          select video_id, day from video_view_day where day < (${before(keptFor.viewsByDay)})::date limit ${batch})
          returning 1`,
        sql`delete from instance_sample where (metric, hour) in (
          select metric, hour from instance_sample where hour < ${before(keptFor.samples)} limit ${batch}) returning 1`
      ]
      const tombstones = sql`
        select * from remove_tombstones(${before(keptFor.deletedComments)}, ${commentBatch}::integer)`
      const remove = Effect.gen(function* () {
        let removed = 0
        for (const round of rounds) {
          for (let rows = batch; rows === batch; removed += rows) rows = (yield* round).length
        }
        for (let rows = commentBatch; rows >= commentBatch; removed += rows) rows = (yield* tombstones).length
        return removed
      }).pipe(withDatabaseErrors, Effect.withSpan("OldRows.remove"))
      return OldRows.of({ remove })
    })
  )
}
