import { Schema } from "effect"
import { Page, Timestamp } from "./Scalars.ts"

/** The client every application of this instance uses. */
export const OAuthClient = Schema.Struct({ client_id: Schema.String, client_secret: Schema.String }).annotate({
  identifier: "OAuthClient"
})
export type OAuthClient = typeof OAuthClient.Type

/** A new session. Times are seconds from now. */
export const OAuthToken = Schema.Struct({
  token_type: Schema.Literal("Bearer"),
  access_token: Schema.String,
  refresh_token: Schema.String,
  expires_in: Schema.Int,
  refresh_token_expires_in: Schema.Int
}).annotate({ identifier: "OAuthToken" })
export type OAuthToken = typeof OAuthToken.Type

/** Answer to a logout; an external login may want the browser to go on elsewhere. */
export const RevokedToken = Schema.Struct({ redirectUrl: Schema.optionalKey(Schema.String) })

/** One session of a user. */
export const TokenSession = Schema.Struct({
  id: Schema.Int,
  currentSession: Schema.Boolean,
  loginDevice: Schema.String,
  loginIP: Schema.String,
  loginDate: Timestamp,
  lastActivityDevice: Schema.String,
  lastActivityIP: Schema.String,
  lastActivityDate: Timestamp,
  createdAt: Timestamp
}).annotate({ identifier: "TokenSession" })
export type TokenSession = typeof TokenSession.Type

export const TokenSessionList = Page(TokenSession)

/** The token of a user's private feeds. */
export const ScopedToken = Schema.Struct({ feedToken: Schema.String }).annotate({ identifier: "ScopedToken" })
export type ScopedToken = typeof ScopedToken.Type
