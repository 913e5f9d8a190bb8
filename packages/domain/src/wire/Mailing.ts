import { Schema } from "effect"
import { NullableString, NullableTimestamp, Page, Timestamp } from "./Scalars.ts"

/** `sending`: mails are being handed over to the mail queue; `sent`: all of them were; `cancelled`: the rest never is. */
export const mailingStates = ["sending", "sent", "cancelled"] as const

/** A mail that an administrator wrote to users. */
export const Mailing = Schema.Struct({
  id: Schema.Int,
  subject: Schema.String,
  body: Schema.String,
  author: NullableString.annotate({ description: "Username of the administrator; null: the operator, in a shell" }),
  userIds: Schema.NullOr(Schema.Array(Schema.Int)).annotate({ description: "Null: not to certain users" }),
  role: Schema.NullOr(Schema.Int).annotate({ description: "Null: to users of any role" }),
  state: Schema.Literals(mailingStates),
  queued: Schema.Int.annotate({ description: "Users whose mail was handed over to the mail queue" }),
  createdAt: Timestamp,
  finishedAt: NullableTimestamp
}).annotate({ identifier: "Mailing" })
export type Mailing = typeof Mailing.Type

export const MailingList = Page(Mailing)
export type MailingList = typeof MailingList.Type

/** What beginning a mailing answers. */
export const AddedMailing = Schema.Struct({ mailing: Schema.Struct({ id: Schema.Int }) }).annotate({
  identifier: "AddedMailing"
})

/** A mailing as the administrator who asks would get it. */
export const MailingPreview = Schema.Struct({
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String
}).annotate({ identifier: "MailingPreview" })
export type MailingPreview = typeof MailingPreview.Type
