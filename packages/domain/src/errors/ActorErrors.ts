import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No such account. */
export class AccountNotFound extends Problem<AccountNotFound>()("AccountNotFound", {
  status: 404,
  detail: "Account not found"
}) {}

/** No such channel. */
export class VideoChannelNotFound extends Problem<VideoChannelNotFound>()("VideoChannelNotFound", {
  status: 404,
  detail: "Video channel not found"
}) {}

/** No such local actor (WebFinger). */
export class ActorNotFound extends Problem<ActorNotFound>()("ActorNotFound", {
  status: 404,
  detail: "Actor not found"
}) {}

/** The name, the address or the state asked for belongs to somebody or something else already. */
export class Conflict extends Problem<Conflict>()("Conflict", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** No such user. */
export class UserNotFound extends Problem<UserNotFound>()("UserNotFound", { status: 404, detail: "User not found" }) {}

/** No such note about the user. */
export class UserNoteNotFound extends Problem<UserNoteNotFound>()("UserNoteNotFound", {
  status: 404,
  detail: "Note not found"
}) {}

/** No such mail to users. */
export class MailingNotFound extends Problem<MailingNotFound>()("MailingNotFound", {
  status: 404,
  detail: "Mailing not found"
}) {}

/** No such webhook. */
export class WebhookNotFound extends Problem<WebhookNotFound>()("WebhookNotFound", {
  status: 404,
  detail: "Webhook not found"
}) {}

/** No such delivery to the webhook. */
export class WebhookDeliveryNotFound extends Problem<WebhookDeliveryNotFound>()("WebhookDeliveryNotFound", {
  status: 404,
  detail: "Delivery not found"
}) {}

/** No such registration. */
export class RegistrationNotFound extends Problem<RegistrationNotFound>()("RegistrationNotFound", {
  status: 404,
  detail: "Registration not found"
}) {}

/** Nobody with this id was asked to work on the channel. */
export class CollaboratorNotFound extends Problem<CollaboratorNotFound>()("CollaboratorNotFound", {
  status: 404,
  detail: "Collaborator not found"
}) {}

/** No such change of owner, or one that is no business of who asks. */
export class OwnershipChangeNotFound extends Problem<OwnershipChangeNotFound>()("OwnershipChangeNotFound", {
  status: 404,
  detail: "Change of owner not found"
}) {}
