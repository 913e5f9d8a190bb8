import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What of the configuration the triggers of the outbox ask. */
export interface OutboxSettings {
  readonly enabled: boolean
  readonly federateUnlisted: boolean
}

/** What the outbox does besides sending. */
export class OutboxUpkeep extends Context.Service<
  OutboxUpkeep,
  {
    /** Writes the settings that triggers read. Without federation nothing is recorded. */
    readonly configure: (settings: OutboxSettings) => Effect.Effect<void, DatabaseUnavailable>
    /** Has the outbox send counters of videos and actors that have moved; answers of how many. */
    readonly recount: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Forgets what was delivered, what could not be for a week (two days where the host has not answered for one, or where
     * who said it is gone and its key is kept for that alone), and hosts beyond the bound. Answers whether there may be more.
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

      const atOnce = 200
      const recount = sql<{ due: number }>`
        with videos as (
          delete from video_recount where video_id in (
            select video_id from video_recount where due <= now() order by due limit ${atOnce} for update skip locked
          ) returning video_id
        ), actors as (
          delete from actor_recount where actor_id in (
            select actor_id from actor_recount where due <= now() order by due limit ${atOnce} for update skip locked
          ) returning actor_id
        ), marked as (
          select mark_change('video', video_id, '{"before": {"open": true}, "after": {"recounted": true}}') from videos
          union all
          select mark_change('actor', actor_id, '{"after": {"recounted": true}}') from actors
        )
        select count(*)::integer as due from marked`.pipe(
        Effect.map((rows) => rows[0]!.due),
        withDatabaseErrors,
        Effect.withSpan("OutboxUpkeep.recount")
      )

      // Ids and ages go together: what is too young ends the search.
      const pruneDeliveries = Effect.gen(function* () {
        let last = "0"
        while (true) {
          const [seen] = yield* sql<{ last: string | null; old: number }>`
            with oldest as materialized (
              select id, host, activity_id, created_at from delivery where id > ${last}::bigint order by id limit ${batch}
            ), gone as (
              delete from delivery where id in (
                select d.id from oldest d
                where d.created_at < now() - interval '7 days' or (
                  d.created_at < now() - interval '2 days' and (
                    exists (select from delivery_host h where h.host = d.host and h.failing_since < now() - interval '7 days')
                    or exists (select from activity a where a.id = d.activity_id and a.private_key is not null)
                  )
                )
              )
            )
            select max(id)::text as last, count(*) filter (where created_at < now() - interval '2 days')::integer as old
            from oldest`
          if (seen === undefined || seen.last === null || seen.old < batch) return
          last = seen.last
        }
      })

      const prune = Effect.gen(function* () {
        yield* pruneDeliveries
        yield* sql`
          delete from outbox_change where created_at < now() - interval '7 days'
            or (created_at < now() - interval '2 days' and details ? 'sender')`
        const done = yield* sql`
          delete from activity where id in (
            select a.id from activity a where a.created_at < now() - interval '7 days'
              and not activity_waits(a.id)
            order by a.created_at limit ${batch}
          ) returning id`
        // A key is kept for as long as there is something to sign with it.
        yield* sql`
          update activity a set private_key = null
          where a.private_key is not null and not activity_waits(a.id)`
        yield* sql`
          delete from delivery_host where host in (
            select h.host from delivery_host h where not exists (select from delivery d where d.host = h.host)
              and (h.updated_at < now() - interval '30 days' or h.updated_at < (
                select updated_at from delivery_host order by updated_at desc offset ${mostHosts} limit 1
              ))
            limit ${batch}
          )`
        // Nobody comes back to most hosts for long.
        yield* sql`
          delete from delivery_turn where host in (
            select host from delivery_turn where until < now() - interval '10 minutes' for update skip locked
          )`
        return done.length === batch
      }).pipe(withDatabaseErrors, Effect.withSpan("OutboxUpkeep.prune"))

      return OutboxUpkeep.of({ configure, recount, prune })
    })
  )
}
