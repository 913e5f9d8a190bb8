import { Schema } from "effect"
import { NullableString, NullableTimestamp, Page, Timestamp } from "./Scalars.ts"

/**
 * How a host takes what it is sent: `unknown` was never sent anything, `resting` asked to retry later, `failing` does not answer
 * for now, `unavailable` has not for a week and is tried once a day.
 */
export const federationHostStates = ["well", "unknown", "resting", "failing", "unavailable"] as const

/** A host that activities are delivered to. */
export const FederationHost = Schema.Struct({
  host: Schema.String,
  state: Schema.Literals(federationHostStates),
  waiting: Schema.Int.annotate({ description: "Deliveries that wait" }),
  waitingByLane: Schema.Struct({
    follows: Schema.Int.annotate({ description: "Follows and answers to them" }),
    content: Schema.Int.annotate({ description: "What was made, changed, passed on or deleted" }),
    ratings: Schema.Int,
    views: Schema.Int
  }),
  oldestWaitingAt: NullableTimestamp,
  followers: Schema.Int.annotate({ description: "Who of the host follows somebody or something here" }),
  nextAttemptAt: NullableTimestamp,
  failures: Schema.Int.annotate({ description: "Failures in a row" }),
  failingSince: NullableTimestamp,
  lastError: NullableString,
  lastStatus: Schema.NullOr(Schema.Int),
  lastAttemptAt: NullableTimestamp,
  lastSuccessAt: NullableTimestamp,
  signatureForm: Schema.NullOr(Schema.Literals(["cavage", "rfc9421"]))
}).annotate({ identifier: "FederationHost" })
export type FederationHost = typeof FederationHost.Type

export const FederationHostList = Page(FederationHost)

/** A delivery that waits: what, since when, and why. */
const WaitingDelivery = Schema.Struct({
  activity: Schema.String.annotate({ description: "Id of the activity" }),
  type: Schema.String,
  inbox: Schema.String,
  createdAt: Timestamp,
  attempts: Schema.Int,
  nextAttemptAt: NullableTimestamp,
  lastError: NullableString
}).annotate({ identifier: "WaitingDelivery" })

/** A host with the deliveries that are next, the oldest first. */
export const FederationHostDetails = Schema.Struct({
  ...FederationHost.fields,
  deliveries: Schema.Array(WaitingDelivery)
}).annotate({ identifier: "FederationHostDetails" })
export type FederationHostDetails = typeof FederationHostDetails.Type
