import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type DeliveryForm, type DeliveryHost, unknownHost } from "./DeliveryHost.ts"
import { gathered } from "./Gathered.ts"
import { retryHost } from "./HostRetry.ts"
import { NodeName } from "./NodeName.ts"

/** `first`: follows and their answers, which wait for nothing else. */
export type DeliveryPart = "first" | "rest"

/** One activity that one inbox has still to receive. */
export interface Delivery {
  readonly id: string
  readonly activityId: string
  readonly inboxUrl: string
  /** Attempts that failed. */
  readonly attempts: number
  /** What the activity is about: of one thing one after the other. */
  readonly thing: string | null
  readonly type: string
}

/** A host that has something due. */
export interface DueHost {
  readonly host: string
  readonly part: DeliveryPart
}

/** What a host is owed, and what is known of it. */
export interface DueWork {
  readonly host: DeliveryHost
  /** In its order; nothing about a thing of which something earlier has to wait. None while the host rests. */
  readonly due: ReadonlyArray<Delivery>
}

/** What a failed attempt has taught. */
export interface HostFailure {
  readonly host: string
  /** Of the delivery. */
  readonly id: string
  readonly error: string
  readonly status: number | null
  /** Milliseconds nothing but follows is sent to the host. */
  readonly restMillis: number
  /** Milliseconds until a follow is tried again. */
  readonly waitMillis: number
  /** False: it answers, and asks us to wait. */
  readonly failing: boolean
}

interface WorkRow extends Omit<DeliveryHost, "host"> {
  readonly n: number
  readonly due: ReadonlyArray<Delivery> | null
}

/** Milliseconds after which a turn has to be kept before more is sent: what was begun then ends within it. */
export const turnMillis = 4_000

/** Hosts that are asked for, or written, in one statement. */
const most = 250

/**
 * The queue of deliveries, host by host. Only the actor of a host takes from it; whatever it took and did not end stays. Many
 * actors work at once: what they ask the database at about the same time is one statement.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Takes the host's turn for this node, too; nothing is due while another node has it. */
    readonly work: (due: DueHost & { readonly limit: number }) => Effect.Effect<DueWork, DatabaseUnavailable>
    /** Has a turn go on that was taken more than `turnMillis` ago. False: another node works for the host by now. */
    readonly keepTurn: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** These are done with; the host took the last of them in this form. */
    readonly delivered: (done: {
      readonly host: string
      readonly ids: ReadonlyArray<string>
      readonly form: DeliveryForm
    }) => Effect.Effect<void, DatabaseUnavailable>
    /** The host failed at one: it rests. */
    readonly hostFailed: (failure: HostFailure) => Effect.Effect<void, DatabaseUnavailable>
    /** This one waits; the host is not to blame. */
    readonly retry: (id: string, error: string, waitMillis: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends the rest of a host; false: it is none. */
    readonly retryHost: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** These need not be sent any more. */
    readonly drop: (ids: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
    /** An inbox is gone: nothing is left to send to it. */
    readonly dropInbox: (host: string, inboxUrl: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const node = yield* NodeName
      const millis = (column: string) => sql.literal(`(extract(epoch from ${column}) * 1000)::float8`)

      const workOf = Effect.fnUntraced(function* (asked: ReadonlyArray<DueHost & { readonly limit: number }>) {
        const rows = yield* sql<WorkRow>`
          with mine as materialized (
            select host from take_delivery_turns(${asked.map(({ host }) => host)}::text[], ${node}) m (host)
          )
          select r.n::integer as n, h.form, coalesce(h.failures, 0) as failures, ${millis("h.failing_since")} as "failingSince",
            ${millis("h.rest_until")} as "restUntil", ${millis("h.last_success_at")} as "lastSuccessAt",
            (
              select json_agg(json_build_object('id', d.id::text, 'activityId', d.activity_id::text, 'inboxUrl', d.inbox_url,
                'attempts', d.attempts, 'thing', d.thing, 'type', d.type))
              from due_deliveries(r.host, r.first, r.at_most) d
              where r.host in (select host from mine) and (r.first or h.rest_until is null or h.rest_until <= now())
            ) as due
          from unnest(${asked.map(({ host }) => host)}::text[], ${asked.map(({ part }) => part === "first")}::boolean[],
              ${asked.map(({ limit }) => limit)}::integer[]) with ordinality r (host, first, at_most, n)
            left join delivery_host h on h.host = r.host
          order by r.n`
        return asked.map(({ host }, i): DueWork => {
          const { due, n: _, ...known } = rows[i] ?? { due: null, n: 0, ...unknownHost(host) }
          return { host: { ...known, host }, due: due ?? [] }
        })
      }, withDatabaseErrors)

      const writeDelivered = Effect.fnUntraced(function* (
        done: ReadonlyArray<{ readonly host: string; readonly ids: ReadonlyArray<string>; readonly form: DeliveryForm }>
      ) {
        const forms = new Map(done.map(({ form, host }) => [host, form]))
        yield* sql`
          with gone as (delete from delivery where id = any(${done.flatMap(({ ids }) => ids)}::bigint[]))
          insert into delivery_host as h (host, form, last_success_at, last_attempt_at, last_status)
          select host, form, now(), now(), 200
          from unnest(${[...forms.keys()]}::text[], ${[...forms.values()]}::text[]) d (host, form) order by host
          on conflict (host) do update set form = excluded.form, failures = 0, failing_since = null, rest_until = null,
            last_error = null, last_status = excluded.last_status, last_success_at = now(), last_attempt_at = now(),
            updated_at = now()
            -- Not at every delivery to a host that is well.
            where h.failures > 0 or h.form is distinct from excluded.form or h.rest_until is not null
              or h.last_success_at is null or h.last_success_at < now() - interval '1 minute'`
        return done.map(() => undefined)
      }, withDatabaseErrors)

      const writeFailures = Effect.fnUntraced(function* (failures: ReadonlyArray<HostFailure>) {
        // A host fails at a follow and at something else at the same time: it is one failure.
        const hosts = [...new Map(failures.map((failure) => [failure.host, failure])).values()]
        yield* sql`
          with tried as (
            update delivery d set attempts = d.attempts + 1, last_error = f.error,
              next_attempt_at = case when d.lane = 0 then now() + f.wait * interval '1 millisecond' else d.next_attempt_at end
            from unnest(${failures.map(({ id }) => id)}::bigint[], ${failures.map(({ error }) => error)}::text[],
              ${failures.map(({ waitMillis }) => waitMillis)}::float8[]) f (id, error, wait)
            where d.id = f.id
          )
          insert into delivery_host as h (host, failures, failing_since, rest_until, last_error, last_status, last_attempt_at)
          select host, failing::integer, case when failing then now() end, now() + rest * interval '1 millisecond', error,
            nullif(status, 0), now()
          from unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ failing }) => failing)}::boolean[],
            ${hosts.map(({ restMillis }) => restMillis)}::float8[], ${hosts.map(({ error }) => error)}::text[],
            ${hosts.map(({ status }) => status ?? 0)}::smallint[]) f (host, failing, rest, error, status) order by host
          on conflict (host) do update set failures = h.failures + excluded.failures,
            failing_since = coalesce(h.failing_since, excluded.failing_since),
            rest_until = greatest(h.rest_until, excluded.rest_until), last_error = excluded.last_error,
            last_status = excluded.last_status, last_attempt_at = now(), updated_at = now()`
        return failures.map(() => undefined)
      }, withDatabaseErrors)

      const keepTurns = Effect.fnUntraced(function* (hosts: ReadonlyArray<string>) {
        const rows = yield* sql<{ host: string }>`
          update delivery_turn set until = now() + interval '12.5 seconds' where host in (
            select host from delivery_turn where host = any(${hosts}::text[]) and node = ${node} order by host for update
          ) returning host`
        const kept = new Set(rows.map(({ host }) => host))
        return hosts.map((host) => kept.has(host))
      }, withDatabaseErrors)

      // Whoever goes on need not wait for the end of the turns of this one.
      yield* Effect.addFinalizer(() =>
        Effect.ignore(Effect.timeout(sql`delete from delivery_turn where node = ${node}`, "2 seconds"))
      )

      return Deliveries.of({
        keepTurn: yield* gathered(keepTurns, most),
        work: yield* gathered(workOf, most),
        delivered: yield* gathered(writeDelivered, most),
        hostFailed: yield* gathered(writeFailures, most),
        retry: Effect.fnUntraced(function* (id: string, error: string, waitMillis: number) {
          yield* sql`
            update delivery set attempts = attempts + 1, last_error = ${error},
              next_attempt_at = now() + ${waitMillis}::float8 * interval '1 millisecond'
            where id = ${id}::bigint`
        }, withDatabaseErrors),
        retryHost: Effect.fn("Deliveries.retryHost")(function* (host: string) {
          const known = sql`
            exists (select from delivery_host k where k.host = h.host)
            or exists (select from waiting_delivery w where w.host = h.host)`
          return (yield* retryHost(sql, host, known)).length > 0
        }, withDatabaseErrors),
        drop: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
          yield* sql`delete from delivery where id = any(${ids}::bigint[])`
        }, withDatabaseErrors),
        dropInbox: Effect.fnUntraced(function* (host: string, inboxUrl: string) {
          yield* sql`delete from delivery where host = ${host} and inbox_url = ${inboxUrl}`
        }, withDatabaseErrors)
      })
    })
  )
}
