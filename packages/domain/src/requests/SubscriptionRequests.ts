import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { type ActorHandle, parseActorHandle } from "../ids/ActorHandle.ts"
import { field, type Reader } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { listOf } from "../fields/Readers.ts"
import { query } from "./Query.ts"
import { rowId, userFields } from "./UserFields.ts"
import { videoListReaders } from "./VideoListQuery.ts"
import { toBoundedText } from "../fields/Values.ts"

/** Columns subscriptions are sorted by (contract: SortableColumns.userSubscriptions); `latestVideoAt` is ours. */
const subscriptionSortColumns = ["id", "createdAt", "channelUpdatedAt", "latestVideoAt"] as const
export type SubscriptionSortColumn = (typeof subscriptionSortColumns)[number]

/** A channel as a client names it, with the text it did so by: answers repeat it. */
export interface NamedChannel {
  readonly uri: string
  readonly handle: ActorHandle
}

const message = "Must be the name of a channel, or name@host"

/** Reads a channel as clients name it. */
export const namedChannel: Reader<NamedChannel> = {
  message,
  documented: { type: "string", maxLength: constraints.actor.handle.max },
  parse: (input) => {
    const uri = toBoundedText(input, 1, constraints.actor.handle.max)
    const handle = uri === undefined ? undefined : parseActorHandle(uri)
    return uri === undefined || handle === undefined ? undefined : { uri, handle }
  }
}

/** Of our own: lists what is in one group of subscriptions alone. */
const groupId = rowId("a group of subscriptions")

export const subscriptionListQuery = query({
  ...pageReaders(subscriptionSortColumns),
  search: userFields.search,
  groupId
})

export const subscriptionVideosQuery = query({ ...videoListReaders, groupId })

export const newSubscription = jsonOrForm(Schema.Struct({ uri: field(namedChannel) }))

export const subscriptionsExistQuery = Schema.Struct({ uris: field(listOf(namedChannel, message)) })
