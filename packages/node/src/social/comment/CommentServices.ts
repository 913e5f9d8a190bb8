import { CommentLists } from "@kinora/storage/social/comment/CommentLists"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { replicated } from "@kinora/storage/platform/database/replica/Replicated"
import { CommentThreads } from "@kinora/storage/social/comment/CommentThreads"
import { CommentTrees } from "@kinora/storage/social/comment/CommentTrees"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { RateRows } from "@kinora/storage/social/rating/RateRows"
import { Layer } from "effect"
import { Rates } from "../rating/Rates.ts"
import { CommentedVideos } from "./CommentedVideos.ts"
import { CommentPace } from "./CommentPace.ts"
import { CommentRemovals } from "./CommentRemovals.ts"
import { CommentReading } from "./CommentReading.ts"
import { Comments } from "./Comments.ts"
import { ManagedComments } from "./ManagedComments.ts"

/**
 * What people say and think of videos. Needs `SqlClient`, `SlowSql`, `KinoraConfig`, `RateLimitStore`, `JobBoard`, `ChannelRows`,
 * `VideoAccess` and `VideoReads`.
 */
export const CommentServices = Layer.mergeAll(
  CommentedVideos.layer,
  CommentReading.layer,
  CommentRemovals.layer,
  ManagedComments.layer,
  Comments.layer.pipe(Layer.provide(CommentPace.layer), Layer.provide(NotificationEvents.layer)),
  Rates.layer.pipe(Layer.provide(RateRows.layer))
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      CommentRows.layer,
      CommentThreads.layer,
      CommentTrees.layer,
      replicated(CommentLists, CommentLists.layer)
    )
  )
)
