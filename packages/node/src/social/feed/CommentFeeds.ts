import type { AccountNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { FeedFormat } from "@kinora/domain/requests/FeedRequests"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { FeedComments, type FeedCommentRow } from "@kinora/storage/social/feed/FeedComments"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { toPlainText, toSafeHtml } from "../../platform/markdown/Markdown.ts"
import { type AccessRefused, type Presented, VideoAccess } from "../../video/list/VideoAccess.ts"
import { namedBy } from "../../video/list/VideoVisibility.ts"
import { otherComments } from "./AtomAndJson.ts"
import type { FeedSource } from "./FeedCache.ts"
import { feedKind } from "./FeedFormats.ts"
import type { CommentEntry } from "./FeedShape.ts"
import { digestOf, FeedHeads, type OwnerNames } from "./FeedHeads.ts"
import { keptTexts } from "./KeptTexts.ts"
import { rssComments } from "./RssFeed.ts"

/** A feed of comments, and who asks for it. */
export interface CommentsAsked {
  /** Comments on this video; it does not go with owners. */
  readonly videoId: VideoIdOrUuid | undefined
  /** The account whose comments they are, the channel on whose videos. */
  readonly owners: OwnerNames
  readonly isLocal: boolean | undefined
  readonly onLocalVideo: boolean | undefined
  readonly presented: Presented
  readonly format: FeedFormat
  /** Address of the feed. */
  readonly self: string
}

/** The database's own JSON: read as it is, its shape is checked in the tests of what makes it. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const entryOf = (row: FeedCommentRow, origin: string, html: (text: string) => string): CommentEntry => ({
  id: row.url,
  title: `${row.videoName} - ${row.accountName}`,
  link: `${origin}/w/${toShortUuid(row.videoUuid)};threadId=${row.threadId}`,
  publishedAt: row.createdAt,
  html: html(row.text),
  author: { name: row.accountName, url: `${origin}/a/${row.accountHandle}/video-channels` }
})

/** Characters of comments, and what was made of them, that are remembered. */
const maxCharacters = 1_000_000

/** Feeds of comments: on one video that the reader may see, or on videos that anybody may list. */
export class CommentFeeds extends Context.Service<
  CommentFeeds,
  {
    readonly read: (
      asked: CommentsAsked
    ) => Effect.Effect<FeedSource, AccountNotFound | VideoChannelNotFound | AccessRefused>
  }
>()("@kinora/node/feeds/CommentFeeds") {
  static readonly layer = Layer.effect(
    CommentFeeds,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const rows = yield* FeedComments
      const reads = yield* VideoReads
      const access = yield* VideoAccess
      const heads = yield* FeedHeads
      const { origin } = config.derived
      const count = config.feeds.comments.count
      const html = keptTexts(maxCharacters, toSafeHtml)

      /** The feed of one video is about the video. */
      const seen = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        const video = yield* access.check(yield* reads.details(id), presented, namedBy(id))
        const details = parse(video.body) as VideoDetails
        return {
          id: video.id,
          about: {
            title: details.name,
            description: toPlainText(details.truncatedDescription ?? ""),
            link: `${origin}/w/${details.shortUUID}`
          },
          updatedAt: details.publishedAt
        }
      })

      const read = Effect.fn("CommentFeeds.read")(function* (asked: CommentsAsked) {
        const video = asked.videoId === undefined ? undefined : yield* seen(asked.videoId, asked.presented)
        const found = yield* heads.owners(asked.owners)
        const comments = yield* rows.newest({
          count,
          videoId: video?.id,
          accountId: found.account?.row.id,
          channelId: found.channel?.row.id,
          isLocal: asked.isLocal,
          onLocalVideo: asked.onLocalVideo,
          safe: config.instance.default_nsfw_policy === "do_not_list",
          viewerAccountId: Option.getOrUndefined(asked.presented.user)?.accountId
        })
        const entries = comments.map((row) => entryOf(row, origin, html))
        const times = entries.map(({ publishedAt }) => publishedAt)
        const general = yield* heads.of(found, asked.self, video === undefined ? times : [...times, video.updatedAt])
        const head = { ...general, ...video?.about }
        const kind = feedKind(asked.format)
        return {
          facts: digestOf(head, entries),
          write: () => (kind === "rss" ? rssComments(head, entries) : otherComments(kind, head, entries))
        } satisfies FeedSource
      })

      return CommentFeeds.of({ read })
    })
  )
}
