import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/** What of the configuration the triggers of the outbox ask. */
export interface OutboxSettings {
  readonly enabled: boolean
  readonly federateUnlisted: boolean
}

/** What the outbox does besides sending. */
export class OutboxUpkeep extends Context.Service<
  OutboxUpkeep,
  {
    /** Tells the triggers what is configured. Without federation nothing is recorded. */
    readonly configure: (settings: OutboxSettings) => Effect.Effect<void, DatabaseUnavailable>
    /** Tells of videos whose counters have moved, each in its transaction; answers how many. */
    readonly recount: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Forgets what was delivered, what could not be for a week (two days where the host has not answered for one), and hosts
     * beyond the bound. Answers whether there may be more.
     */
    readonly prune: Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/OutboxUpkeep") {
  static readonly layer = Layer.effect(
    OutboxUpkeep,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const batch = 5_000
      const mostHosts = 50_000

      const configure = Effect.fn("OutboxUpkeep.configure")(function* ({ enabled, federateUnlisted }: OutboxSettings) {
        yield* sql`
          insert into instance_setting (key, value)
          values ('federation', jsonb_build_object('enabled', ${enabled}::boolean, 'federateUnlisted', ${federateUnlisted}::boolean))
          on conflict (key) do update set value = excluded.value, updated_at = now()
            where instance_setting.value <> excluded.value`
      }, withDatabaseErrors)

      const recount = Effect.gen(function* () {
        const due = yield* sql<{ id: number }>`
          select video_id as id from video_recount where due <= now() order by due limit 200`
        for (const { id } of due) yield* sql`select tell_recounted(${id})`
        return due.length
      }).pipe(withDatabaseErrors, Effect.withSpan("OutboxUpkeep.recount"))

      const prune = Effect.gen(function* () {
        const late = yield* sql`
          delete from delivery where id in (
            select d.id from delivery d left join delivery_host h on h.host = d.host
            where d.created_at < now() - interval '7 days'
              or (h.failing_since < now() - interval '7 days' and d.created_at < now() - interval '2 days')
            limit ${batch}
          ) returning id`
        const done = yield* sql`
          delete from activity where id in (
            select a.id from activity a where a.created_at < now() - interval '7 days'
              and not exists (select from delivery d where d.activity_id = a.id)
            order by a.created_at limit ${batch}
          ) returning id`
        // A key is kept for as long as there is something to sign with it.
        yield* sql`
          update activity a set private_key = null
          where a.private_key is not null and not exists (select from delivery d where d.activity_id = a.id)`
        yield* sql`
          delete from delivery_host where host in (
            select h.host from delivery_host h where not exists (select from delivery d where d.host = h.host)
              and (h.updated_at < now() - interval '30 days' or h.updated_at < (
                select updated_at from delivery_host order by updated_at desc offset ${mostHosts} limit 1
              ))
            limit ${batch}
          )`
        return late.length === batch || done.length === batch
      }).pipe(withDatabaseErrors, Effect.withSpan("OutboxUpkeep.prune"))

      return OutboxUpkeep.of({ configure, recount, prune })
    })
  )
}
