import { CommentLists } from "@kinora/storage/comments/CommentLists"
import { CommentRows } from "@kinora/storage/comments/CommentRows"
import { CommentThreads } from "@kinora/storage/comments/CommentThreads"
import { CommentTrees } from "@kinora/storage/comments/CommentTrees"
import { NotificationEvents } from "@kinora/storage/notifications/NotificationEvents"
import { RateRows } from "@kinora/storage/rates/RateRows"
import { Layer } from "effect"
import { Rates } from "../rates/Rates.ts"
import { CommentPace } from "./CommentPace.ts"
import { Comments } from "./Comments.ts"

/** What people say and think of videos. Needs `SqlClient`, `SlowSql`, `KinoraConfig` and `RateLimitStore`. */
export const CommentServices = Layer.mergeAll(
  Comments.layer.pipe(Layer.provide(CommentPace.layer), Layer.provide(NotificationEvents.layer)),
  Rates.layer.pipe(Layer.provide(RateRows.layer))
).pipe(
  Layer.provideMerge(Layer.mergeAll(CommentRows.layer, CommentThreads.layer, CommentTrees.layer, CommentLists.layer))
)
