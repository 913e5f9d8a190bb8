import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { toManagedCommentsQuery } from "@kinora/domain/requests/CommentRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ManagedComment } from "@kinora/domain/wire/Comment"
import type { JsonPage } from "@kinora/domain/wire/Json"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { CommentLists } from "@kinora/storage/social/comment/CommentLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option } from "effect"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { type AccessRefused, type Presented, VideoAccess } from "../../video/list/VideoAccess.ts"
import { worksOn } from "../../video/list/VideoRights.ts"

type Query = Parameters<typeof toManagedCommentsQuery>[0]
type Found<E> = Effect.Effect<JsonPage<ManagedComment>, E | VideoChannelNotFound | DatabaseUnavailable>

const notYours = (what: string) => new Forbidden({ reason: `You do not work on this ${what}` })

/** Comments for those who look after them. A query that names a video or a channel that does not exist is refused. */
export class ManagedComments extends Context.Service<
  ManagedComments,
  {
    /** All comments, for moderators. Their right is checked by the endpoint. */
    readonly all: (user: CurrentUserShape, query: Query) => Found<VideoNotFound>
    /** Comments below the videos that the user works on. */
    readonly mine: (user: CurrentUserShape, query: Query, presented: Presented) => Found<AccessRefused | Forbidden>
  }
>()("@kinora/node/social/comment/ManagedComments") {
  static readonly layer = Layer.effect(
    ManagedComments,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const reads = yield* VideoReads
      const channels = yield* ChannelRows
      const lists = yield* CommentLists

      /** The channel a list is narrowed down to. */
      const channelOf = Effect.fnUntraced(function* (channelId: number) {
        const channel = yield* channels.byId(channelId)
        return Option.isNone(channel) ? yield* new VideoChannelNotFound() : channel.value
      })

      return ManagedComments.of({
        all: Effect.fnUntraced(function* (user, query) {
          const video = query.videoId === undefined ? undefined : yield* reads.access(query.videoId)
          if (query.videoChannelId !== undefined) yield* channelOf(query.videoChannelId)
          return yield* lists.all(user.accountId, toManagedCommentsQuery(query, video?.id))
        }),
        mine: Effect.fnUntraced(function* (user, query, presented) {
          const video = query.videoId === undefined ? undefined : yield* access.open(query.videoId, presented)
          if (video !== undefined && !worksOn(video, user)) return yield* notYours("video")
          if (query.videoChannelId !== undefined) {
            const channel = yield* channelOf(query.videoChannelId)
            if (!mayOnChannel(user, "publish", channel)) return yield* notYours("channel")
          }
          return yield* lists.mine(user.accountId, toManagedCommentsQuery(query, video?.id))
        })
      })
    })
  )
}
