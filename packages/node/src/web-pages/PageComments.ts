import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CommentThreads } from "@kinora/domain/wire/Comment"
import { Context, type Effect } from "effect"

/** What pages need to know of comments, in wire shapes. */
export class PageComments extends Context.Service<
  PageComments,
  {
    /** The newest threads below a video, as an anonymous visitor may read them. Whether the video may be seen was decided before. */
    first(videoId: number): Effect.Effect<CommentThreads, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageComments") {}
