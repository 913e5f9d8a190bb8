import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** Nobody has signed the request in a way that can be read (ActivityPub inboxes). */
export class SignatureNeeded extends Problem<SignatureNeeded>()("SignatureNeeded", {
  status: 401,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** It was not sent by whoever it says, or they may not say it. */
export class ActivityForbidden extends Problem<ActivityForbidden>()("ActivityForbidden", {
  status: 403,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** The instance takes part in no federation (contract: federationDisabledStatus). */
export class FederationDisabled extends Problem<FederationDisabled>()("FederationDisabled", {
  status: 403,
  detail: "This instance does not federate"
}) {}

/** No account or channel of this instance has this inbox. */
export class InboxNotFound extends Problem<InboxNotFound>()("InboxNotFound", {
  status: 404,
  detail: "No account or channel has this inbox"
}) {}
