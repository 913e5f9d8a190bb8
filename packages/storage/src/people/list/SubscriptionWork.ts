import { ListSubscriptionState } from "@kinora/domain/enums/ListSubscriptionState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { JobLease, LeaseLost } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { enqueueFetch, type ListSubscription, type SubscriptionKind } from "./SubscriptionJobs.ts"

/** Where a list is, and what is known of it. */
export interface ListSource {
  readonly url: string
  /** The entity tag of what was applied last. */
  readonly etag: string | undefined
}

/** How a fetch ended. */
export interface FetchOutcome {
  /** Why it failed, in words for those who subscribed; undefined: it did not. */
  readonly error: string | undefined
  /** The entity tag of what was applied; undefined: there is none, or nothing was applied. */
  readonly etag: string | undefined
  /** Milliseconds until the next fetch, by how many have failed in a row. */
  readonly nextMillis: (failures: number) => number
}

const tables: Readonly<Record<SubscriptionKind, string>> = {
  blocks: "blocklist_subscription",
  words: "watched_words_subscription"
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const begin = Effect.fn("SubscriptionWork.begin")(function* ({ id, kind }: ListSubscription) {
    const [row] = yield* sql<{ url: string; etag: string | null }>`
      update ${sql.literal(tables[kind])} set state = ${ListSubscriptionState.processing} where id = ${id}
      returning url, etag`
    return row === undefined ? undefined : { url: row.url, etag: row.etag ?? undefined }
  }, withDatabaseErrors)

  const finish = Effect.fn("SubscriptionWork.finish")(
    function* (lease: JobLease, subscription: ListSubscription, { error, etag, nextMillis }: FetchOutcome) {
      const failed = error !== undefined
      const rows = yield* sql<{ failures: number }>`
        update ${sql.literal(tables[subscription.kind])} set updated_at = now(), last_error = ${error ?? null},
          state = ${failed ? ListSubscriptionState.failed : ListSubscriptionState.synced},
          failures = case when ${failed}::boolean then failures + 1 else 0 end,
          etag = case when ${failed}::boolean then etag else ${etag ?? null}::text end,
          last_sync_at = case when ${failed}::boolean then last_sync_at else now() end
        where id = ${subscription.id} returning failures`
      yield* jobs.complete(lease, { error: error ?? null })
      const [row] = rows
      if (row !== undefined) yield* enqueueFetch(jobs, subscription, nextMillis(row.failures))
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const withoutJob = (kind: SubscriptionKind) => sql<{ id: number; fraction: number }>`
    select s.id, random() as fraction from ${sql.literal(tables[kind])} s where not exists (
      select 1 from job j where j.dedupe_key = ${`list-subscription:${kind}:`}::text || s.id
        and j.state not in ('completed', 'failed', 'cancelled')
    )`

  const ensureJobs = Effect.fn("SubscriptionWork.ensureJobs")(function* (withinMillis: number) {
    for (const kind of ["blocks", "words"] as const) {
      for (const { fraction, id } of yield* withoutJob(kind)) {
        yield* enqueueFetch(jobs, { kind, id }, Math.floor(withinMillis * fraction))
      }
    }
  }, withDatabaseErrors)

  return SubscriptionWork.of({ begin, finish, ensureJobs })
})

/** The steps of a fetch that are the same whatever a list is of, as its worker takes them. */
export class SubscriptionWork extends Context.Service<
  SubscriptionWork,
  {
    /** Where to fetch it from; undefined: the subscription has ended. */
    readonly begin: (subscription: ListSubscription) => Effect.Effect<ListSource | undefined, DatabaseUnavailable>
    /** Writes down how it ended and plans the next fetch, in one transaction. */
    readonly finish: (
      lease: JobLease,
      subscription: ListSubscription,
      outcome: FetchOutcome
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Plans a fetch within this time for every subscription that has none, because workers died at it. */
    readonly ensureJobs: (withinMillis: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/people/list/SubscriptionWork") {
  static readonly layer = Layer.effect(SubscriptionWork, make)
}
