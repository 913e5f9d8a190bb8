import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FederationHostPage } from "@kinora/domain/requests/FederationHostRequests"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, jsonPage, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

/** What administrators ask of deliveries, as JSON text of the wire. */
export class DeliveryReads extends Context.Service<
  DeliveryReads,
  {
    /** `{"total":…,"data":[…]}` of FederationHost: hosts that were delivered to, or that something waits for. */
    readonly hosts: (page: FederationHostPage) => Effect.Effect<string, DatabaseUnavailable>
    /** FederationHostDetails; none: nothing was ever sent to it, and nothing waits. */
    readonly host: (host: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Ends the rest of a host; false: it is none. */
    readonly retry: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/DeliveryReads") {
  static readonly layer = Layer.effect(
    DeliveryReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mostDeliveries = 20

      const states = sql`
        select coalesce(h.host, w.host) as host, coalesce(w.waiting, 0) as waiting, w.lanes, w.oldest, w.next, h.form, h.rest_until,
          coalesce(h.failures, 0) as failures, h.failing_since, h.last_error, h.last_status, h.last_attempt_at,
          h.last_success_at, coalesce(h.created_at, w.oldest) as created_at,
          case
            when h.failing_since < now() - interval '7 days' then 'unavailable'
            when h.failing_since is not null then 'failing'
            when h.rest_until > now() then 'resting'
            when h.last_success_at is null then 'unknown'
            else 'well' end as state
        from delivery_host h full join (
          select host, count(*) as waiting, min(created_at) as oldest, min(next_attempt_at) as next,
            array[
              count(*) filter (where lane = 0), count(*) filter (where lane = 1), count(*) filter (where lane = 2),
              count(*) filter (where lane = 3)
            ] as lanes
          from waiting_delivery group by host
        ) w on w.host = h.host`

      const item = sql`
        select s.host, s.state, s.waiting,
          json_build_object(
            'follows', coalesce(s.lanes[1], 0), 'content', coalesce(s.lanes[2], 0), 'ratings', coalesce(s.lanes[3], 0),
            'views', coalesce(s.lanes[4], 0)
          ) as "waitingByLane", wire_time(s.oldest) as "oldestWaitingAt",
          (
            select count(*) from server v join actor a on a.server_id = v.id join actor_follow f on f.actor_id = a.id
            where v.host = s.host::citext and f.follower_remote and f.state = 'accepted'
          ) as followers,
          case when s.waiting > 0 then wire_time(greatest(s.next, s.rest_until)) end as "nextAttemptAt", s.failures,
          wire_time(s.failing_since) as "failingSince", s.last_error as "lastError", s.last_status as "lastStatus",
          wire_time(s.last_attempt_at) as "lastAttemptAt", wire_time(s.last_success_at) as "lastSuccessAt",
          s.form as "signatureForm"`

      const hosts = (page: FederationHostPage) => {
        const way = direction(sql, page.sort.descending)
        const order = {
          waiting: sql`s.waiting ${way}, s.host`,
          host: sql`s.host ${way}`,
          lastSuccessAt: sql`s.last_success_at ${way} nulls last, s.host`,
          createdAt: sql`s.created_at ${way}, s.host`
        }[page.sort.by]
        const searched =
          page.search === undefined ? sql`` : sql`and s.host like ${`%${escapeLike(page.search.toLowerCase())}%`}::text`
        const from = sql`
          from (${states}) s where ${page.state === undefined ? sql`true` : sql`s.state = ${page.state}`} ${searched}`
        return withDatabaseErrors(
          jsonPage(
            sql,
            sql`select count(*) ${from}`,
            sql`
              select (select row_to_json(x)::text from (${item}) x) as item, s.position from (
                select s.*, row_number() over (order by ${order}) as position ${from} order by ${order} ${limit(sql, page)}
              ) s`
          )
        )
      }

      const host = Effect.fn("DeliveryReads.host")(function* (name: string) {
        const rows = yield* sql<{ body: string }>`
          select (select row_to_json(x)::text from (${item}, (
            select coalesce(json_agg(d), '[]') from (
              select a.uri as activity, a.type, d.inbox_url as inbox, wire_time(d.created_at) as "createdAt", d.attempts,
                wire_time(greatest(d.next_attempt_at, case when d.lane > 0 then s.rest_until end)) as "nextAttemptAt",
                d.last_error as "lastError"
              from waiting_delivery d join activity a on a.id = d.activity_id where d.host = s.host
              order by d.lane, d.id limit ${mostDeliveries}
            ) d
          ) as deliveries) x) as body
          from (${states}) s where s.host = ${name}`
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ body }) => body)
      }, withDatabaseErrors)

      const retry = Effect.fn("DeliveryReads.retry")(function* (name: string) {
        const rows = yield* sql`
          select delivery_retry(${name}::text)
          where exists (select from delivery_host where host = ${name})
            or exists (select from waiting_delivery where host = ${name})`
        return rows.length > 0
      }, withDatabaseErrors)

      return DeliveryReads.of({ hosts, host, retry })
    })
  )
}
