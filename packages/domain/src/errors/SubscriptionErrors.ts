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

/** The user has no such group of subscriptions. */
export class SubscriptionGroupNotFound extends Problem<SubscriptionGroupNotFound>()("SubscriptionGroupNotFound", {
  status: 404,
  detail: "Group of subscriptions not found"
}) {}

/** The group cannot be as it is asked to be. */
export class SubscriptionGroupRefused extends Problem<SubscriptionGroupRefused>()("SubscriptionGroupRefused", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
