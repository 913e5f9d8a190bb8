import type { VideoId } from "@kinora/domain/ids/Ids"
import { toThreadListQuery } from "@kinora/domain/requests/CommentRequests"
import type { CommentThreads as Threads } from "@kinora/domain/wire/Comment"
import { CommentThreads } from "@kinora/storage/social/comment/CommentThreads"
import { Effect, Layer, Option, Schema } from "effect"
import { PageComments } from "../PageComments.ts"

/** JSON from the database, used as it is. The tests of the code that produces it check its shape. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const none: Threads = { total: 0, totalNotDeletedComments: 0, data: [] }

/** Comments for pages, from the same queries as the API's. */
export const PageCommentsLayer = Layer.effect(
  PageComments,
  Effect.map(CommentThreads, (threads) =>
    PageComments.of({
      first: Effect.fn("PageComments.first")(function* (videoId) {
        const found = yield* threads.list({ _tag: "Id", id: videoId as VideoId }, toThreadListQuery({}))
        return Option.isNone(found) ? none : (parse(found.value.body) as Threads)
      })
    })
  )
)
