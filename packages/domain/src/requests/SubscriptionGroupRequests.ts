import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { field, optional } from "../fields/Field.ts"
import { listOf } from "../fields/Readers.ts"
import { jsonOrForm } from "./Payload.ts"
import { namedChannel } from "./SubscriptionRequests.ts"
import { rowId, shownName } from "./UserFields.ts"

const { channels: bounds, name: nameBounds } = constraints.subscriptionGroup

const name = shownName("a name", nameBounds)

const channels = listOf(
  namedChannel,
  `Must be at most ${bounds.max} channels, each as its name, or name@host for one of another instance`,
  { type: "array", items: namedChannel.documented, maxItems: bounds.max }
)

/** Reads names of groups, as an archive has them. */
export const subscriptionGroupNames = listOf(name, "Must be names of groups")

/** Body of a new group: its name, and the channels that are in it from the start. */
export const NewSubscriptionGroup = Schema.Struct({ name: field(name), channels: optional(channels) })
export type NewSubscriptionGroup = typeof NewSubscriptionGroup.Type

/**
 * Body of a change. What is missing stays. `channels` are all of the group from then on; `addChannels` and `removeChannels`
 * change some, so that two who change the group at once undo nothing of each other.
 */
export const SubscriptionGroupUpdate = Schema.Struct({
  name: optional(name),
  channels: optional(channels),
  addChannels: optional(channels),
  removeChannels: optional(channels)
})
export type SubscriptionGroupUpdate = typeof SubscriptionGroupUpdate.Type

export const newSubscriptionGroup = jsonOrForm(NewSubscriptionGroup)
export const subscriptionGroupUpdate = jsonOrForm(SubscriptionGroupUpdate)

/** Path parameter: a group of subscriptions. */
export const SubscriptionGroupId = field(rowId("a group of subscriptions"))
