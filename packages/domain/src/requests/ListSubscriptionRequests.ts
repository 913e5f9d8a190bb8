import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { field } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { pageReaders } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { rowId, userFields } from "./UserFields.ts"

const { url } = constraints.listSubscription

/** Body of a new subscription to a list that others publish. */
export const newListSubscription = jsonOrForm(
  Schema.Struct({
    url: field(
      text({
        ...url,
        pattern: /^https?:\/\/[^\s/]\S*$/i,
        message: `Must be an https address of at most ${url.max} characters`,
        documented: { format: "uri" }
      })
    )
  })
)

/** Columns that lists of subscriptions can be sorted by: ours, the contract names none. */
const columns = ["createdAt", "updatedAt", "lastSyncAt", "name"] as const
export type ListSubscriptionColumn = (typeof columns)[number]

export const listSubscriptionsQuery = query({ ...pageReaders(columns), search: userFields.search })

/** Path parameter: a subscription. */
export const ListSubscriptionId = field(rowId("a subscription"))
