import { Schema } from "effect"

const to = { to: Schema.String }
const link = { link: Schema.String, username: Schema.String }

/** A mail as the rest of the node requests it: its recipient and its data. `Templates.ts` adds the text. */
export const Mail = Schema.TaggedUnion({
  /** `link` verifies an email address of the user, of a new account or after a change. */
  VerifyEmail: { ...to, ...link },
  /** The same for a registration that waits for approval. */
  VerifyRegistration: { ...to, ...link },
  /** `link` sets a new password; valid for an hour. */
  ResetPassword: { ...to, ...link },
  /** `link` sets the first password of a user that an administrator created; valid for a week. */
  CreatePassword: { ...to, ...link },
  RegistrationAccepted: { ...to, username: Schema.String, moderationResponse: Schema.String },
  RegistrationRejected: { ...to, username: Schema.String, moderationResponse: Schema.String },
  /** To moderators: somebody requests an account. */
  RegistrationRequested: { ...to, username: Schema.String, reason: Schema.String },
  UserBlocked: { ...to, username: Schema.String, reason: Schema.NullOr(Schema.String) },
  UserUnblocked: { ...to, username: Schema.String },
  /** After too many wrong passwords: logins of the user are refused for a while. */
  LoginLockedOut: { ...to, username: Schema.String, ip: Schema.NullOr(Schema.String), minutes: Schema.Int },
  /** The password was changed: the user should know in case somebody else did it. */
  PasswordChanged: { ...to, username: Schema.String },
  /** To the former address of the user: they should know in case somebody else changed it. */
  EmailChanged: { ...to, username: Schema.String },
  /** The archive of the user's data can be downloaded for this many days. */
  UserExportReady: { ...to, username: Schema.String, days: Schema.Int },
  /** The result of an import: one sentence per section. */
  UserImportFinished: { ...to, username: Schema.String, results: Schema.Array(Schema.String) },
  UserImportFailed: { ...to, username: Schema.String, reason: Schema.String },
  /** To administrators: a webhook is inactive from now on. `gone`: its address answered 410; else it failed for days. */
  WebhookDisabled: {
    ...to,
    id: Schema.Int,
    url: Schema.String,
    description: Schema.String,
    gone: Schema.Boolean,
    error: Schema.NullOr(Schema.String)
  },
  /** To the administrator: a visitor's message. A reply goes to `fromEmail`. */
  Contact: { ...to, fromName: Schema.String, fromEmail: Schema.String, subject: Schema.String, body: Schema.String },
  /** An administrator's own words. `unsubscribe` null: it is about the account, and cannot be unsubscribed from. */
  Announcement: {
    ...to,
    subject: Schema.String,
    text: Schema.String,
    markdown: Schema.String,
    unsubscribe: Schema.NullOr(Schema.String)
  },
  /** What `kinora doctor --send-mail` sends. */
  Test: to
})
export type Mail = typeof Mail.Type
