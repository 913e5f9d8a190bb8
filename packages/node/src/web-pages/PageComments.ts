import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CommentThreads } from "@kinora/domain/wire/Comment"
import { Context, type Effect } from "effect"

/** Data of comments for pages, in API format. */
export class PageComments extends Context.Service<
  PageComments,
  {
    /**
     * The newest threads of a video, as an anonymous visitor may read them. The caller checks whether the video is
     * visible.
     */
    first(videoId: number): Effect.Effect<CommentThreads, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageComments") {}
