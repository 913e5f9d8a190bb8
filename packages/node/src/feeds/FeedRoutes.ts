import { FeedComments } from "@kinora/storage/feeds/FeedComments"
import { FeedOwners } from "@kinora/storage/feeds/FeedOwners"
import { FeedVersion } from "@kinora/storage/feeds/FeedVersion"
import { FeedVideos } from "@kinora/storage/feeds/FeedVideos"
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
