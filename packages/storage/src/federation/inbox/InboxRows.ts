import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** An activity whose sender is proved. */
export interface NewActivity {
  readonly uri: string
  readonly type: string
  /** Of the sender, with its port where it has one; what is applied in one line. */
  readonly host: string
  readonly actorUrl: string
  /** Address of what it is about, when that is one thing. */
  readonly object: string | null
  /** Normalised, as JSON text. */
  readonly body: string
  /** Of the bytes it came in. */
  readonly digest: string
  /** It sets a state: it may come again under its id, with other bytes, and then counts again. */
  readonly repeatable: boolean
}

/** An activity that waits. */
export interface WaitingActivity {
  readonly id: number
  readonly uri: string
  readonly type: string
  readonly actorUrl: string
  /** Decoded JSON. */
  readonly body: unknown
  readonly bytes: number
  /** How often it has been tried. */
  readonly attempts: number
}

/** Activities of others, in the order of their coming. */
export class InboxRows extends Context.Service<
  InboxRows,
  {
    /**
     * Keeps them by one statement, no id twice among them; answers the ids of those that were not known. One whose id is
     * known is kept anew when it is repeatable, by the same actor and of the same type, and its bytes are others.
     */
    readonly add: (activities: ReadonlyArray<NewActivity>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** What is due of a host, first come first; at most so many. */
    readonly due: (host: string, count: number) => Effect.Effect<ReadonlyArray<WaitingActivity>, DatabaseUnavailable>
    /**
     * Applies leading likes and dislikes, at most so many, in a transaction of its own; answers how many rows that were, and
     * whether there are other activities behind them.
     */
    readonly applyRates: (
      host: string,
      count: number
    ) => Effect.Effect<{ readonly applied: number; readonly others: boolean }, DatabaseUnavailable>
    /**
     * Begins to apply a row within the caller's transaction. False: it is done, or another node works for the host.
     */
    readonly claim: (host: string, id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Marks a row of which nothing is left to change, without waiting for the disk: it would be looked at once more. False as
     * for `claim`.
     */
    readonly settle: (host: string, id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Marks a row that was claimed, in the same transaction as what it changed. */
    readonly applied: (id: number) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Has earlier activities of the same actor that still wait come to nothing, since what they are about is deleted
     * or they are taken back by the activity `id`: by the address they are about, by their own id, or by type and address.
     */
    readonly withdraw: (
      by: Pick<WaitingActivity, "id" | "actorUrl">,
      what: {
        readonly object?: string | null
        readonly uri?: string | null
        readonly formerType?: string | null
        readonly formerObject?: string | null
      }
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** It came to nothing, and why. */
    readonly refuse: (id: number, why: string) => Effect.Effect<void, DatabaseUnavailable>
    /** To be tried again after so long. */
    readonly postpone: (id: number, why: string, millis: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/inbox/InboxRows") {
  static readonly layer = Layer.effect(
    InboxRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const keep = Effect.fnUntraced(function* (activities: ReadonlyArray<NewActivity>) {
        const rows = yield* sql<{ uri: string }>`
          insert into inbox_activity as i (uri, type, host, actor_url, object, body, digest, bytes)
          select n.uri, n.type, n.host, n.actor_url, nullif(n.object, ''), n.body::jsonb, n.digest, octet_length(n.body)
          from unnest(
            ${activities.map((it) => it.uri)}::text[], ${activities.map((it) => it.type)}::text[],
            ${activities.map((it) => it.host)}::text[], ${activities.map((it) => it.actorUrl)}::text[],
            ${activities.map((it) => it.object ?? "")}::text[], ${activities.map((it) => it.body)}::text[],
            ${activities.map((it) => it.digest)}::text[]
          ) with ordinality n (uri, type, host, actor_url, object, body, digest, nth) order by n.nth
          on conflict (uri) do update set id = default, object = excluded.object, body = excluded.body,
            digest = excluded.digest, bytes = excluded.bytes, state = 'waiting', error = null, attempts = 0,
            not_before = null, received_at = now(), processed_at = null
            where i.uri = any(${activities.filter((it) => it.repeatable).map((it) => it.uri)}::text[])
              and i.actor_url = excluded.actor_url and i.type = excluded.type and i.digest <> excluded.digest
          returning uri`
        const undone = activities.filter(({ object, type }) => type === "Undo" && object !== null)
        if (undone.length > 0) {
          yield* sql`
            update inbox_activity i set digest = ''
            from unnest(${undone.map((it) => it.object)}::text[], ${undone.map((it) => it.actorUrl)}::text[])
              u (uri, actor_url)
            where i.uri = u.uri and i.actor_url = u.actor_url`
        }
        return new Set(rows.map((row) => row.uri))
      })

      // What is taken back may come again with the very same bytes: these no longer tell a repetition.
      const add = (activities: ReadonlyArray<NewActivity>) =>
        withDatabaseErrors(
          activities.some(({ type }) => type === "Undo") ? sql.withTransaction(keep(activities)) : keep(activities)
        )

      const due = (host: string, count: number) =>
        withDatabaseErrors(sql<WaitingActivity>`
          select id, uri, type, actor_url as "actorUrl", body, bytes, attempts from inbox_activity
          where host = ${host} and state = 'waiting' and (not_before is null or not_before <= now())
          order by id limit ${count}`)

      const applyRates = Effect.fnUntraced(function* (host: string, count: number) {
        const rows = yield* sql<{ applied: number; others: boolean }>`
          select applied, others from inbox_apply_rates(${host}::citext, ${count}::integer)`
        return rows[0]!
      }, withDatabaseErrors)

      const claim = Effect.fnUntraced(function* (host: string, id: number) {
        const rows = yield* sql<{ claimed: boolean }>`select inbox_claim(${host}::citext, ${id}::bigint) as claimed`
        return rows[0]!.claimed
      }, withDatabaseErrors)

      const settle = Effect.fnUntraced(function* (host: string, id: number) {
        const rows = yield* sql<{ settled: boolean }>`
          select inbox_settle(${host}::citext, ${id}::bigint) as settled, set_config('synchronous_commit', 'off', true)`
        return rows[0]!.settled
      }, withDatabaseErrors)

      const applied = (id: number) => withDatabaseErrors(Effect.asVoid(sql`select inbox_applied(array[${id}::bigint])`))

      const withdraw: InboxRows["Service"]["withdraw"] = ({ actorUrl, id }, what) => {
        const { formerObject = null, formerType = null, object = null, uri = null } = what
        return withDatabaseErrors(
          Effect.asVoid(sql`
            update inbox_activity set state = 'refused', processed_at = now(), error = 'taken back before it was applied'
            where id in (
              select id from inbox_activity where uri = ${uri}::text and state = 'waiting'
              union all
              -- Only what was put off stands before it and still waits.
              select id from inbox_activity where state = 'waiting' and not_before is not null
                and md5(object) = md5(${object}::text) and object = ${object}::text
              union all
              select id from inbox_activity where state = 'waiting' and not_before is not null
                and md5(object) = md5(${formerObject}::text) and object = ${formerObject}::text
                and type = ${formerType}::text
            ) and id < ${id}::bigint and actor_url = ${actorUrl} and state = 'waiting'`)
        )
      }

      const refuse = (id: number, why: string) =>
        withDatabaseErrors(
          Effect.asVoid(sql`
            update inbox_activity set state = 'refused', processed_at = now(), error = ${why.slice(0, 1000)},
              attempts = attempts + 1
            where id = ${id} and state = 'waiting'`)
        )

      const postpone = (id: number, why: string, millis: number) =>
        withDatabaseErrors(
          Effect.asVoid(sql`
            update inbox_activity set error = ${why.slice(0, 1000)}, attempts = attempts + 1,
              not_before = now() + ${millis}::float8 * interval '1 millisecond'
            where id = ${id} and state = 'waiting'`)
        )

      return InboxRows.of({ add, due, applyRates, claim, settle, applied, withdraw, refuse, postpone })
    })
  )
}
