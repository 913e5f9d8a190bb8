import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FederationHostPage } from "@kinora/domain/requests/FederationHostRequests"
import type { FederationHost, FederationHostDetails } from "@kinora/domain/wire/FederationHost"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { federationHost, federationHostDetails, type HostRow, type WaitingRow } from "./FederationHostJson.ts"

/** What administrators ask of deliveries, as JSON text. */
export class DeliveryReads extends Context.Service<
  DeliveryReads,
  {
    /** `{"total":…,"data":[…]}` of FederationHost: hosts that were delivered to, or that something waits for. */
    readonly hosts: (page: FederationHostPage) => Effect.Effect<JsonPage<FederationHost>, DatabaseUnavailable>
    /** FederationHostDetails; none: nothing was ever sent to it, and nothing waits. */
    readonly host: (host: string) => Effect.Effect<Option.Option<Json<FederationHostDetails>>, DatabaseUnavailable>
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

      const columns = sql`
        s.host, s.state, s.waiting, s.lanes, s.oldest as "oldestAt",
        (
          select count(*) from server v join actor a on a.server_id = v.id join actor_follow f on f.actor_id = a.id
          where v.host = s.host::citext and f.follower_remote and f.state = 'accepted'
        ) as followers,
        case when s.waiting > 0 then greatest(s.next, s.rest_until) end as "nextAttemptAt", s.failures,
        s.failing_since as "failingSince", s.last_error as "lastError", s.last_status as "lastStatus",
        s.last_attempt_at as "lastAttemptAt", s.last_success_at as "lastSuccessAt", s.form as "signatureForm"`

      const hosts = Effect.fn("DeliveryReads.hosts")(function* (page: FederationHostPage) {
        const way = direction(sql, page.sort.descending)
        const order = {
          waiting: sql`s.waiting ${way}, s.host`,
          host: sql`s.host ${way}`,
          lastSuccessAt: sql`s.last_success_at ${way} nulls last, s.host`,
          createdAt: sql`s.created_at ${way}, s.host`
        }[page.sort.by]
        const searched =
          page.search === undefined ? sql`` : sql`and s.host like ${`%${escapeLike(page.search.toLowerCase())}%`}::text`
        const named = page.hostOneOf === undefined ? sql`` : sql`and s.host = any(${page.hostOneOf}::text[])`
        const from = sql`
          from (${states}) s where ${page.state === undefined ? sql`true` : sql`s.state = ${page.state}`} ${named} ${searched}`
        const rows = yield* sql<{ readonly total: number } & (HostRow | { readonly host: null })>`
          select t.total, i.* from (select count(*) as total ${from}) t left join (
            select ${columns}, s.position from (
              select s.*, row_number() over (order by ${order}) as position ${from} order by ${order} ${limit(sql, page)}
            ) s
          ) i on true order by i.position`
        const found = rows.flatMap((row) => (row.host === null ? [] : [toJson(federationHost(row))]))
        return textPage(rows[0]?.total ?? 0, found)
      }, withDatabaseErrors)

      const host = Effect.fn("DeliveryReads.host")(function* (name: string) {
        const [row] = yield* sql<HostRow>`select ${columns} from (${states}) s where s.host = ${name}`
        if (row === undefined) return Option.none()
        const waiting = yield* sql<WaitingRow>`
          select a.uri as activity, a.type, d.inbox_url as inbox, d.created_at as "createdAt", d.attempts,
            greatest(d.next_attempt_at, case when d.lane > 0 then h.rest_until end) as "nextAttemptAt",
            d.last_error as "lastError"
          from waiting_delivery d join activity a on a.id = d.activity_id left join delivery_host h on h.host = d.host
          where d.host = ${name} order by d.lane, d.id limit ${mostDeliveries}`
        return Option.some(toJson(federationHostDetails(row, waiting)))
      }, withDatabaseErrors)

      return DeliveryReads.of({ hosts, host })
    })
  )
}
