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

/** An activity that waits and that type, sender and object say all of. */
export interface LeadingActivity {
  readonly id: number
  readonly type: string
  readonly actorUrl: string
  readonly object: string
}

/** Activities of others, in the order of their coming. */
export class InboxRows extends Context.Service<
  InboxRows,
  {
    /**
     * Keeps them by one statement, no id twice among them; answers the ids of those that were not known. One whose id is
     * known is kept anew when it is repeatable, by the same actor and of the same type, and its bytes are others or what it is about
     * was deleted since.
     */
    readonly add: (activities: ReadonlyArray<NewActivity>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** What is due of a host, first come first; at most so many. */
    readonly due: (host: string, count: number) => Effect.Effect<ReadonlyArray<WaitingActivity>, DatabaseUnavailable>
    /**
     * What is due of a host as long as it is of these types and about one thing, at most so many; and whether something else
     * was seen behind it.
     */
    readonly leading: (
      host: string,
      types: ReadonlyArray<string>,
      count: number
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<LeadingActivity>; readonly others: boolean }, DatabaseUnavailable>
    /**
     * Begins to apply a row within the caller's transaction, whose triggers know which one it is. False: it is done, or another
     * node works for the host.
     */
    readonly claim: (host: string, id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Begins to apply rows within the caller's transaction: those that wait. None of them while another node works for the host. */
    readonly claimAll: (
      host: string,
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlySet<number>, DatabaseUnavailable>
    /**
     * Marks a row of which nothing is left to change, without waiting for the disk: it would be looked at once more. False as
     * for `claim`.
     */
    readonly settle: (host: string, id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Marks rows that were claimed, in the same transaction as what they changed. */
    readonly applied: (ids: ReadonlyArray<number>) => Effect.Effect<void, DatabaseUnavailable>
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
              and i.actor_url = excluded.actor_url and i.type = excluded.type and (
                i.digest <> excluded.digest
                -- What was deleted since may come back as it was.
                or exists (
                  select from inbox_activity d
                  where d.type = 'Delete' and md5(d.object) = md5(i.object) and d.object = i.object and d.id > i.id
                )
              )
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

      // An undone activity may come again with the same bytes: it is no repetition then.
      const add = (activities: ReadonlyArray<NewActivity>) =>
        withDatabaseErrors(
          activities.some(({ type }) => type === "Undo") ? sql.withTransaction(keep(activities)) : keep(activities)
        )

      const due = (host: string, count: number) =>
        withDatabaseErrors(sql<WaitingActivity>`
          select id, uri, type, actor_url as "actorUrl", body, bytes, attempts from inbox_activity
          where host = ${host} and state = 'waiting' and (not_before is null or not_before <= now())
          order by id limit ${count}`)

      const leading = Effect.fnUntraced(function* (host: string, types: ReadonlyArray<string>, count: number) {
        const found = yield* sql<LeadingActivity & { readonly isOther: boolean }>`
          with due as materialized (
            select id, type, actor_url, object, type <> all(${types}::text[]) or object is null as other
            from inbox_activity
            where host = ${host} and state = 'waiting' and (not_before is null or not_before <= now())
            order by id limit ${count}
          )
          select id, type, actor_url as "actorUrl", object, other as "isOther" from due
          where id <= coalesce((select min(id) from due where other), 9223372036854775807) order by id`
        const rows = found.filter(({ isOther }) => !isOther)
        return { rows, others: rows.length < found.length }
      }, withDatabaseErrors)

      // One node at a time works for a host, whatever the placement of actors says. Held until the transaction ends.
      const turn = (host: string) => sql`pg_try_advisory_xact_lock(1768845922, hashtext(lower(${host}::text)))`

      const done = sql`
        state = 'applied', processed_at = now(), error = null, bytes = 0, body = jsonb_build_object('type', i.type)`

      const claim = Effect.fnUntraced(function* (host: string, id: number) {
        const rows = yield* sql`
          with turn as materialized (select ${turn(host)} as held), row as materialized (
            select i.id from turn join inbox_activity i on turn.held
            where i.id = ${id}::bigint and i.state = 'waiting' for update of i
          )
          select set_config('kinora.applying', id::text, true) from row`
        return rows.length > 0
      }, withDatabaseErrors)

      const claimAll = Effect.fnUntraced(function* (host: string, ids: ReadonlyArray<number>) {
        const rows = yield* sql<{ id: number }>`
          with turn as materialized (select ${turn(host)} as held)
          select i.id from turn join inbox_activity i on turn.held
          where i.id = any(${ids}::bigint[]) and i.state = 'waiting' order by i.id for update of i`
        return new Set(rows.map((row) => row.id))
      }, withDatabaseErrors)

      const settle = Effect.fnUntraced(function* (host: string, id: number) {
        const rows = yield* sql`
          with turn as materialized (select ${turn(host)} as held)
          update inbox_activity i set ${done} from turn
          where turn.held and i.id = ${id}::bigint and i.state = 'waiting'
          returning set_config('synchronous_commit', 'off', true)`
        return rows.length > 0
      }, withDatabaseErrors)

      const applied = (ids: ReadonlyArray<number>) =>
        withDatabaseErrors(Effect.asVoid(sql`update inbox_activity i set ${done} where i.id = any(${ids}::bigint[])`))

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

      return InboxRows.of({ add, due, leading, claim, claimAll, settle, applied, withdraw, refuse, postpone })
    })
  )
}
