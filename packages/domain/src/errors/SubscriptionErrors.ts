import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No such subscription to a list of others. */
export class ListSubscriptionNotFound extends Problem<ListSubscriptionNotFound>()("ListSubscriptionNotFound", {
  status: 404,
  detail: "Subscription not found"
}) {}

/** The list is subscribed to already, or there are too many. */
export class ListSubscriptionRefused extends Problem<ListSubscriptionRefused>()("ListSubscriptionRefused", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
