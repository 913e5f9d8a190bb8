import { federationHostStates } from "../wire/FederationHost.ts"
import { hostReader } from "./FollowRequests.ts"
import { pageReaders, type Sort } from "./Pagination.ts"
import { query } from "./Query.ts"
import { listOf, oneOf } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"

export const federationHostsQuery = query({
  ...pageReaders(["waiting", "host", "lastSuccessAt", "createdAt"]),
  state: oneOf(federationHostStates, `Must be one of these: ${federationHostStates.join(", ")}`),
  hostOneOf: listOf(hostReader, "Must be names of hosts"),
  search: userFields.search
})

/** A page of hosts that activities are delivered to. */
export interface FederationHostPage {
  readonly start: number
  readonly count: number
  readonly sort: Sort<"waiting" | "host" | "lastSuccessAt" | "createdAt">
  readonly state: (typeof federationHostStates)[number] | undefined
  /** Of these alone. */
  readonly hostOneOf: ReadonlyArray<string> | undefined
  readonly search: string | undefined
}

/** Fills in the defaults: the first 15, those with most to wait for first. */
export const toFederationHostPage = (given: Partial<FederationHostPage>): FederationHostPage => ({
  start: given.start ?? 0,
  count: given.count ?? 15,
  sort: given.sort ?? { by: "waiting", descending: true },
  state: given.state,
  hostOneOf: given.hostOneOf,
  search: given.search === "" ? undefined : given.search
})
