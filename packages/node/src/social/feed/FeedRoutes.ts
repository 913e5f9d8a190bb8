import { FeedComments } from "@kinora/storage/social/feed/FeedComments"
import { FeedOwners } from "@kinora/storage/social/feed/FeedOwners"
import { FeedVersion } from "@kinora/storage/social/feed/FeedVersion"
import { FeedVideos } from "@kinora/storage/social/feed/FeedVideos"
import { Layer } from "effect"
import { CommentFeeds } from "./CommentFeeds.ts"
import { FeedCache } from "./FeedCache.ts"
import { FeedHeads } from "./FeedHeads.ts"
import { Feeds } from "./Feeds.ts"
import { FeedRoutesLayer } from "./FeedsHttp.ts"

/** Feeds over HTTP: needs the services of people and videos. */
export const FeedRoutes = FeedRoutesLayer.pipe(
  Layer.provide(Layer.mergeAll(Feeds.layer, CommentFeeds.layer)),
  Layer.provide(Layer.mergeAll(FeedCache.layer, FeedHeads.layer, FeedVideos.layer, FeedComments.layer)),
  Layer.provide(Layer.mergeAll(FeedVersion.layer, FeedOwners.layer))
)
