import type { FederationHost, FederationHostDetails } from "@kinora/domain/wire/FederationHost"

/** What is known of the deliveries to a host. */
export interface HostRow {
  readonly host: string
  readonly state: FederationHost["state"]
  readonly waiting: number
  /** How many wait in each lane; null: none waits. */
  readonly lanes: ReadonlyArray<number> | null
  readonly oldestAt: Date | null
  readonly followers: number
  readonly nextAttemptAt: Date | null
  readonly failures: number
  readonly failingSince: Date | null
  readonly lastError: string | null
  readonly lastStatus: number | null
  readonly lastAttemptAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly signatureForm: FederationHost["signatureForm"]
}

/** A delivery that waits. */
export interface WaitingRow {
  readonly activity: string
  readonly type: string
  readonly inbox: string
  readonly createdAt: Date
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  readonly lastError: string | null
}

const timeOf = (moment: Date | null): string | null => moment?.toISOString() ?? null

/** A host as administrators read it. */
export const federationHost = (row: HostRow): FederationHost => {
  const [follows = 0, content = 0, ratings = 0, views = 0] = row.lanes ?? []
  return {
    host: row.host,
    state: row.state,
    waiting: row.waiting,
    waitingByLane: { follows, content, ratings, views },
    oldestWaitingAt: timeOf(row.oldestAt),
    followers: row.followers,
    nextAttemptAt: timeOf(row.nextAttemptAt),
    failures: row.failures,
    failingSince: timeOf(row.failingSince),
    lastError: row.lastError,
    lastStatus: row.lastStatus,
    lastAttemptAt: timeOf(row.lastAttemptAt),
    lastSuccessAt: timeOf(row.lastSuccessAt),
    signatureForm: row.signatureForm
  }
}

/** A host with the deliveries that are next. */
export const federationHostDetails = (row: HostRow, waiting: ReadonlyArray<WaitingRow>): FederationHostDetails => ({
  ...federationHost(row),
  deliveries: waiting.map(({ activity, attempts, createdAt, inbox, lastError, nextAttemptAt, type }) => ({
    activity,
    type,
    inbox,
    createdAt: createdAt.toISOString(),
    attempts,
    nextAttemptAt: timeOf(nextAttemptAt),
    lastError
  }))
})
