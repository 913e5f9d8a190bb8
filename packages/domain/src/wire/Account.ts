import { Schema } from "effect"
import { ActorImage } from "./ActorImage.ts"
import { NullableString, Timestamp, Url } from "./Scalars.ts"

/** What every actor shows in full (contract: Actor). */
export const actorFields = {
  id: Schema.Int,
  url: Url,
  name: Schema.String,
  avatars: Schema.Array(ActorImage),
  host: Schema.String,
  hostRedundancyAllowed: Schema.NullOr(Schema.Boolean),
  followingCount: Schema.Int,
  followersCount: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  displayName: Schema.String,
  description: NullableString
}

const summaryFields = {
  id: Schema.Int,
  name: Schema.String,
  displayName: Schema.String,
  url: Url,
  host: Schema.String,
  avatars: Schema.Array(ActorImage)
}

/** The account of a user, or one of another instance. `userId` is there for local ones. */
export const Account = Schema.Struct({
  ...actorFields,
  userId: Schema.optionalKey(Schema.NullOr(Schema.Int))
}).annotate({
  identifier: "Account"
})
export type Account = typeof Account.Type

/** An account inside a video, a playlist or a comment. */
export const AccountSummary = Schema.Struct(summaryFields).annotate({ identifier: "AccountSummary" })
export type AccountSummary = typeof AccountSummary.Type

/** A channel inside a video or a playlist. */
export const VideoChannelSummary = Schema.Struct(summaryFields).annotate({ identifier: "VideoChannelSummary" })
export type VideoChannelSummary = typeof VideoChannelSummary.Type
