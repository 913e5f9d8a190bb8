import { AccountLists } from "@kinora/storage/accounts/AccountLists"
import { FollowLists } from "@kinora/storage/accounts/FollowLists"
import { RatingLists } from "@kinora/storage/accounts/RatingLists"
import { ChannelLists } from "@kinora/storage/channels/ChannelLists"
import { ChannelRows } from "@kinora/storage/channels/ChannelRows"
import { ChannelSyncLists } from "@kinora/storage/channels/ChannelSyncLists"
import { ChannelWrites } from "@kinora/storage/channels/ChannelWrites"
import { ChannelActivities } from "@kinora/storage/collaborators/ChannelActivities"
import { Layer } from "effect"
import { KnownAccounts } from "../accounts/KnownAccounts.ts"
import { ChannelPictures } from "./ChannelPictures.ts"
import { Channels } from "./Channels.ts"

const rows = Layer.mergeAll(
  AccountLists.layer,
  FollowLists.layer,
  RatingLists.layer,
  ChannelActivities.layer,
  ChannelLists.layer,
  ChannelRows.layer,
  ChannelSyncLists.layer,
  ChannelWrites.layer
)

/** Accounts and channels over the database: needs `NameAvailability`, `ActorImages` and `ImageUpload`. */
export const ChannelServices = Layer.mergeAll(KnownAccounts.layer, Channels.layer, ChannelPictures.layer).pipe(
  Layer.provideMerge(rows)
)
