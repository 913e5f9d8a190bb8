import { Schema } from "effect"
import { Page, Timestamp } from "./Scalars.ts"

/** A group in which a user sorts channels they follow; these are named as `name@host`. Of our own. */
export const SubscriptionGroup = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  channels: Schema.Array(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "SubscriptionGroup" })
export type SubscriptionGroup = typeof SubscriptionGroup.Type

export const SubscriptionGroupList = Page(SubscriptionGroup)

/** Answer to a new group. */
export const SubscriptionGroupCreated = Schema.Struct({ subscriptionGroup: Schema.Struct({ id: Schema.Int }) })
