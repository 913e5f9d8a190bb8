import { Schema } from "effect"

const to = { to: Schema.String }
const link = { link: Schema.String, username: Schema.String }

/** A mail as the rest of the node asks for it: who gets it, and what it is about. `Templates.ts` has the words. */
export const Mail = Schema.TaggedUnion({
  /** `link` proves that the address is the user's: of a new account, or of a changed address. */
  VerifyEmail: { ...to, ...link },
  /** The same for a registration that waits for a moderator. */
  VerifyRegistration: { ...to, ...link },
  /** `link` sets a new password; good for an hour. */
  ResetPassword: { ...to, ...link },
  /** `link` sets the first password of a user an administrator made; good for a week. */
  CreatePassword: { ...to, ...link },
  RegistrationAccepted: { ...to, username: Schema.String, moderationResponse: Schema.String },
  RegistrationRejected: { ...to, username: Schema.String, moderationResponse: Schema.String },
  /** To moderators: somebody asks for an account. */
  RegistrationRequested: { ...to, username: Schema.String, reason: Schema.String },
  UserBlocked: { ...to, username: Schema.String, reason: Schema.NullOr(Schema.String) },
  UserUnblocked: { ...to, username: Schema.String },
  /** Too many wrong passwords: logins of the user are refused for a while. */
  LoginLockedOut: { ...to, username: Schema.String, ip: Schema.NullOr(Schema.String), minutes: Schema.Int },
  /** The password was changed: whoever did not do it should know. */
  PasswordChanged: { ...to, username: Schema.String },
  /** To the address that was the user's: whoever did not change it should know. */
  EmailChanged: { ...to, username: Schema.String },
  /** The archive of the user's data can be fetched for so many days. */
  UserExportReady: { ...to, username: Schema.String, days: Schema.Int },
  /** What became of an archive the user brought: a sentence a section. */
  UserImportFinished: { ...to, username: Schema.String, results: Schema.Array(Schema.String) },
  UserImportFailed: { ...to, username: Schema.String, reason: Schema.String },
  /** To the administrator: what a visitor wrote. An answer goes to `fromEmail`. */
  Contact: { ...to, fromName: Schema.String, fromEmail: Schema.String, subject: Schema.String, body: Schema.String },
  /** What `kinora doctor --send-mail` sends. */
  Test: to
})
export type Mail = typeof Mail.Type
