import type { SqlClient } from "effect/sql/SqlClient"
import type { JobBoard } from "../../platform/jobs/JobBoard.ts"

/** Type of the jobs that fetch lists others publish. */
export const subscriptionJobType = "list-subscription"

/** What a list is of. */
export type SubscriptionKind = "blocks" | "words"

/** A subscription to a list that others publish. */
export interface ListSubscription {
  readonly kind: SubscriptionKind
  readonly id: number
}

/** How many workers may die at one fetch. Another is planned anyway: see `SubscriptionWork.ensureJobs`. */
const maxCrashes = 3

const subscriptionKey = ({ id, kind }: ListSubscription): string => `list-subscription:${kind}:${id}`

/** Plans the next fetch of a list. There is never more than one. */
export const enqueueFetch = (
  jobs: Pick<JobBoard["Service"], "enqueue">,
  { id, kind }: ListSubscription,
  delayMillis: number
) =>
  jobs.enqueue({
    type: subscriptionJobType,
    payload: { kind, id } satisfies ListSubscription,
    delayMillis,
    dedupeKey: subscriptionKey({ id, kind }),
    maxAttempts: maxCrashes
  })

/** Drops the planned fetch of a list. A worker that is at one finds the subscription gone. */
export const cancelFetch = (sql: SqlClient, subscription: ListSubscription) => sql`
  update job set state = 'cancelled', finished_at = now(), updated_at = now(),
    lease_owner = null, lease_token = null, lease_until = null
  where dedupe_key = ${subscriptionKey(subscription)} and state not in ('completed', 'failed', 'cancelled')`
