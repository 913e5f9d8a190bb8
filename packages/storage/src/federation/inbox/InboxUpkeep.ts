import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { forgetUnusedActors } from "../remote/UnusedActors.ts"
import { retryHost } from "../outbox/HostRetry.ts"

/** What waits of a host. */
export interface HostBacklog {
  readonly host: string
  readonly count: number
  /** Of the activities' text. */
  readonly bytes: number
}

const batch = 5_000

/** The inbox as housekeeping sees it. */
export class InboxUpkeep extends Context.Service<
  InboxUpkeep,
  {
    /** Hosts of which something is due. */
    readonly dueHosts: Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Everything that waits, by host. */
    readonly backlog: Effect.Effect<ReadonlyArray<HostBacklog>, DatabaseUnavailable>
    /** Forgets what was applied or refused so many days ago, and so that it was; answers how many. */
    readonly prune: (days: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Forgets what counted against bounds of hours that are over. */
    readonly pruneCounting: Effect.Effect<void, DatabaseUnavailable>
    /** Forgets actors of other instances that nothing hangs on and that were not asked for in so many days; answers how many. */
    readonly forgetUnusedActors: (days: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Shows what changed of viewers elsewhere; answers of how many videos. */
    readonly settleViewers: Effect.Effect<number, DatabaseUnavailable>
    /** Whether anybody here follows anybody of the host, or the other way round. */
    readonly isFamiliar: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether anybody here follows anybody of the host. */
    readonly isFollowed: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Tries at once to deliver what waits for the end of the host's rest, if it rests. */
    readonly retryDelivery: (host: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Hosts, and addresses of actors, that the instance has muted. */
    readonly muted: Effect.Effect<
      { readonly hosts: ReadonlySet<string>; readonly actors: ReadonlySet<string> },
      DatabaseUnavailable
    >
  }
>()("@kinora/storage/inbox/InboxUpkeep") {
  static readonly layer = Layer.effect(
    InboxUpkeep,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      // One probe of the index a host, however many rows wait.
      const dueHosts = withDatabaseErrors(
        Effect.map(
          sql<{ host: string }>`
            with recursive hosts (host) as (
              (select host from inbox_activity where state = 'waiting' order by host limit 1)
              union all
              select (select i.host from inbox_activity i where i.state = 'waiting' and i.host > h.host
                order by i.host limit 1) from hosts h where h.host is not null
            )
            select host::text from hosts h where h.host is not null and exists (
              select from inbox_activity i where i.host = h.host and i.state = 'waiting'
                and (i.not_before is null or i.not_before <= now())
            )`,
          (rows) => rows.map((row) => row.host)
        )
      )

      const backlog = withDatabaseErrors(
        sql<HostBacklog>`
          select lower(host::text) as host, count(*) as count, sum(bytes) as bytes from inbox_activity
          where state = 'waiting' group by host`
      )

      // The oldest come first by id, and what is too young ends the search.
      const prune = Effect.fnUntraced(function* (days: number) {
        let removed = 0
        while (true) {
          const rows = yield* sql<{ removed: number }>`
            with old as (
              select id, state from (select id, state, received_at from inbox_activity order by id limit ${batch}) o
              where received_at < now() - ${days}::integer * interval '1 day'
            ), gone as (delete from inbox_activity i using old where i.id = old.id and old.state <> 'waiting' returning 1)
            select count(*)::integer as removed from gone`
          removed += rows[0]!.removed
          if (rows[0]!.removed < batch) return removed
        }
      }, withDatabaseErrors)

      const pruneCounting = withDatabaseErrors(
        Effect.asVoid(sql`delete from remote_counting where hour < now() - interval '1 hour'`)
      )

      const forget = forgetUnusedActors(sql)

      const settleViewers = Effect.gen(function* () {
        yield* sql`delete from remote_viewers where expires_at < now()`
        const changed = yield* sql`
          insert into video_viewers (video_id, viewers, remote)
          select v.id, 0, c.viewers from (
            select coalesce(n.video_id, k.video_id) as id, coalesce(n.viewers, 0) as viewers from (
              select video_id, least(sum(viewers), 100000000)::integer as viewers from remote_viewers group by 1
            ) n full join (select video_id, remote from video_viewers where remote > 0) k on k.video_id = n.video_id
            where n.viewers is distinct from k.remote
          ) c join video v on v.id = c.id order by v.id for key share of v
          on conflict (video_id) do update set remote = excluded.remote
          returning video_id`
        return changed.length
      }).pipe(sql.withTransaction, withDatabaseErrors)

      const isFamiliar = Effect.fnUntraced(function* (host: string) {
        const rows = yield* sql<{ familiar: boolean }>`
          select exists (
            select from server s join actor a on a.server_id = s.id
            where s.host = ${host}::citext and (
              exists (select from actor_follow f where f.target_actor_id = a.id and f.state = 'accepted')
              or exists (select from actor_follow f where f.actor_id = a.id and f.state = 'accepted')
            )
          ) as familiar`
        return rows[0]!.familiar
      }, withDatabaseErrors)

      const isFollowed = Effect.fnUntraced(function* (host: string) {
        const rows = yield* sql`
          select 1 from server s join actor a on a.server_id = s.id
            join actor_follow f on f.target_actor_id = a.id and f.state = 'accepted'
          where s.host = ${host}::citext limit 1`
        return rows.length > 0
      }, withDatabaseErrors)

      const rests = sql`exists (select from delivery_host k where k.host = h.host and k.rest_until > now())`
      const retryDelivery = (host: string) => withDatabaseErrors(Effect.asVoid(retryHost(sql, host, rests)))

      const muted = withDatabaseErrors(
        Effect.map(
          sql<{ host: string | null; url: string | null }>`
            with instance as (
              select o.id from account o join actor a on a.id = o.actor_id
              where a.server_id is null and a.type = 'Application'
            )
            select lower(s.host::text) as host, null as url from server_block b join server s on s.id = b.server_id
              where b.account_id in (select id from instance)
            union all
            select null, a.url from account_block b join account o on o.id = b.target_account_id
              join actor a on a.id = o.actor_id
              where b.account_id in (select id from instance) and a.server_id is not null`,
          (rows) => ({
            hosts: new Set(rows.flatMap(({ host }) => host ?? [])),
            actors: new Set(rows.flatMap(({ url }) => url ?? []))
          })
        )
      )

      return InboxUpkeep.of({
        dueHosts,
        backlog,
        prune,
        pruneCounting,
        forgetUnusedActors: (days) => withDatabaseErrors(forget(days)),
        settleViewers,
        isFamiliar,
        isFollowed,
        retryDelivery,
        muted
      })
    })
  )
}
