import { Schema } from "effect"
import { Account } from "./Account.ts"
import { ActorImage } from "./ActorImage.ts"
import { NullableString, NullableTimestamp, NumberConstant, Timestamp, Url } from "./Scalars.ts"
import { ViewsPerDate } from "./VideoChannel.ts"

/** A channel of the user who asks (contract: UserVideoChannel). */
export const UserVideoChannel = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  displayName: Schema.String,
  url: Url,
  host: Schema.String,
  description: NullableString,
  support: NullableString,
  isLocal: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  followingCount: Schema.Int,
  followersCount: Schema.Int,
  avatars: Schema.Array(ActorImage),
  banners: Schema.Array(ActorImage),
  ownerAccountId: Schema.Int,
  videosCount: Schema.optionalKey(Schema.Int),
  viewsPerDay: Schema.optionalKey(Schema.Array(ViewsPerDate)),
  totalViews: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "UserVideoChannel" })
export type UserVideoChannel = typeof UserVideoChannel.Type

const SpecialPlaylist = Schema.Struct({ id: Schema.Int, name: Schema.String, type: Schema.Int })

/** The user who asks (contract: MyUser). Quotas are bytes, -1 for none. */
export const MyUser = Schema.Struct({
  id: Schema.Int,
  username: Schema.String,
  email: Schema.String,
  pendingEmail: NullableString,
  emailVerified: Schema.NullOr(Schema.Boolean),
  emailPublic: Schema.Boolean,
  nsfwPolicy: Schema.Literals(["do_not_list", "warn", "blur", "display"]),
  nsfwFlagsDisplayed: Schema.Int,
  nsfwFlagsHidden: Schema.Int,
  nsfwFlagsBlurred: Schema.Int,
  nsfwFlagsWarned: Schema.Int,
  adminFlags: Schema.optionalKey(Schema.Int),
  autoPlayVideo: Schema.Boolean,
  autoPlayNextVideo: Schema.Boolean,
  autoPlayNextVideoPlaylist: Schema.Boolean,
  p2pEnabled: Schema.Boolean,
  videosHistoryEnabled: Schema.Boolean,
  videoLanguages: Schema.NullOr(Schema.Array(Schema.String)),
  language: Schema.String,
  role: NumberConstant,
  videoQuota: Schema.Int,
  videoQuotaDaily: Schema.Int,
  videoQuotaUsed: Schema.optionalKey(Schema.Int),
  videoQuotaUsedDaily: Schema.optionalKey(Schema.Int),
  totalVideoFileSize: Schema.optionalKey(Schema.Int),
  videosCount: Schema.optionalKey(Schema.Int),
  abusesCount: Schema.optionalKey(Schema.Int),
  abusesAcceptedCount: Schema.optionalKey(Schema.Int),
  abusesCreatedCount: Schema.optionalKey(Schema.Int),
  videoCommentsCount: Schema.optionalKey(Schema.Int),
  theme: Schema.String,
  account: Account,
  notificationSettings: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  videoChannels: Schema.optionalKey(Schema.Array(UserVideoChannel)),
  videoChannelCollaborations: Schema.optionalKey(Schema.Array(UserVideoChannel)),
  specialPlaylists: Schema.Array(SpecialPlaylist),
  blocked: Schema.Boolean,
  blockedReason: Schema.optionalKey(NullableString),
  noInstanceConfigWarningModal: Schema.Boolean,
  noWelcomeModal: Schema.Boolean,
  noAccountSetupWarningModal: Schema.Boolean,
  createdAt: Timestamp,
  pluginAuth: NullableString,
  lastLoginDate: NullableTimestamp,
  twoFactorEnabled: Schema.Boolean,
  newFeaturesInfoRead: Schema.Int
}).annotate({ identifier: "MyUser" })
export type MyUser = typeof MyUser.Type
