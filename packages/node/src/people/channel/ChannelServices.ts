import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { FollowLists } from "@kinora/storage/federation/follow/FollowLists"
import { RatingLists } from "@kinora/storage/social/rating/RatingLists"
import { ChannelLists } from "@kinora/storage/people/channel/ChannelLists"
import { replicated } from "@kinora/storage/platform/database/replica/Replicated"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelSyncLists } from "@kinora/storage/video/sync/ChannelSyncLists"
import { ChannelWrites } from "@kinora/storage/people/channel/ChannelWrites"
import { ChannelActivities } from "@kinora/storage/people/collaborator/ChannelActivities"
import { Layer } from "effect"
import { KnownAccounts } from "../account/KnownAccounts.ts"
import { ChannelActs } from "./ChannelActs.ts"
import { ChannelPictures } from "./ChannelPictures.ts"
import { Channels } from "./Channels.ts"
import { ListedChannels } from "./ListedChannels.ts"
import { RuleServices } from "../subscription/RuleServices.ts"

const rows = Layer.mergeAll(
  replicated(AccountLists, AccountLists.layer),
  FollowLists.layer,
  RatingLists.layer,
  ChannelActivities.layer,
  replicated(ChannelLists, ChannelLists.layer),
  ChannelRows.layer,
  ChannelSyncLists.layer,
  ChannelWrites.layer
)

/**
 * Accounts and channels over the database: needs `NameAvailability`, `ActorImages`, `ImageUpload`, `JobBoard`, `KinoraConfig` and
 * `FetchGuard`.
 */
export const ChannelServices = Layer.mergeAll(
  Layer.merge(ListedChannels.layer, RuleServices).pipe(Layer.provideMerge(KnownAccounts.layer)),
  Channels.layer,
  ChannelPictures.layer
).pipe(Layer.provideMerge(ChannelActs.layer), Layer.provideMerge(rows))
