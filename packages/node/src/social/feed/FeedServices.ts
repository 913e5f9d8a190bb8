import { FeedComments } from "@kinora/storage/social/feed/FeedComments"
import { FeedOwners } from "@kinora/storage/social/feed/FeedOwners"
import { FeedVersion } from "@kinora/storage/social/feed/FeedVersion"
import { FeedVideos } from "@kinora/storage/social/feed/FeedVideos"
import { replicated } from "@kinora/storage/platform/database/replica/Replicated"
import { Layer } from "effect"
import { CommentFeeds } from "./CommentFeeds.ts"
import { FeedCache } from "./FeedCache.ts"
import { FeedHeads } from "./FeedHeads.ts"
import { Feeds } from "./Feeds.ts"
import { FeedSubscriptions } from "./FeedSubscriptions.ts"

/** Feeds of videos and comments: needs the services of people and videos. */
export const FeedServices = Layer.mergeAll(Feeds.layer, CommentFeeds.layer, FeedSubscriptions.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      FeedCache.layer,
      FeedHeads.layer,
      replicated(FeedVideos, FeedVideos.layer),
      replicated(FeedComments, FeedComments.layer)
    )
  ),
  Layer.provideMerge(Layer.mergeAll(FeedVersion.layer, FeedOwners.layer))
)
