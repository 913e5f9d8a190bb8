import type { AccountNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FeedFormat } from "@kinora/domain/requests/FeedRequests"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { FeedVideos } from "@kinora/storage/social/feed/FeedVideos"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import type { VideoScope, VideoViewer } from "@kinora/storage/video/read/VideoQuery"
import { Context, Effect, Layer, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { toPlainText, toSafeHtml } from "../../platform/markdown/Markdown.ts"
import { otherVideos } from "./AtomAndJson.ts"
import type { FeedSource } from "./FeedCache.ts"
import { feedKind } from "./FeedFormats.ts"
import { digestOfEntries, FeedHeads, type FoundOwners, type OwnerNames } from "./FeedHeads.ts"
import { largest, type VideoEntry } from "./FeedShape.ts"
import { keptEntries } from "./KeptEntries.ts"
import { keptTexts } from "./KeptTexts.ts"
import { podcastFeed } from "./PodcastFeed.ts"
import { rssVideos } from "./RssFeed.ts"
import { videoEntry } from "./VideoEntries.ts"

/** A feed of videos. What only managers may ask for is taken as allowed: the caller has checked. */
export interface VideosAsked {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer | undefined
  readonly owners: OwnerNames
  readonly format: FeedFormat
  /** Address of the feed. */
  readonly self: string
}

/** The same of what a user follows; its address is a secret. */
export interface SubscriptionsAsked {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer
  readonly format: FeedFormat
}

/** The database's own JSON: read as it is, its shape is checked in the tests of what makes it. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const newest = { start: 0, skipCount: true, sort: { by: "publishedAt", descending: true } } as const

/** Whether videos are asked for that are on no public list. */
const isManaged = ({ include = 0, privacyOneOf, stateOneOf }: VideoListQuery): boolean =>
  include !== 0 || privacyOneOf !== undefined || stateOneOf !== undefined

/** Characters of descriptions, and what was made of them, that are remembered of each kind. */
const maxCharacters = 2_000_000

/** Videos whose entries are remembered. */
const mostEntries = 300

/** Feeds of videos, read through the lists: they contain exactly what lists contain. */
export class Feeds extends Context.Service<
  Feeds,
  {
    readonly videos: (
      asked: VideosAsked
    ) => Effect.Effect<FeedSource, AccountNotFound | VideoChannelNotFound | DatabaseUnavailable>
    readonly subscriptions: (asked: SubscriptionsAsked) => Effect.Effect<FeedSource, DatabaseUnavailable>
    /** A channel's newest videos as a podcast. `self` is the address of the feed. */
    readonly podcast: (
      channelId: number,
      self: string
    ) => Effect.Effect<FeedSource, AccountNotFound | VideoChannelNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/feeds/Feeds") {
  static readonly layer = Layer.effect(
    Feeds,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const lists = yield* VideoLists
      const videoRows = yield* FeedVideos
      const heads = yield* FeedHeads
      const { origin } = config.derived
      const count = config.feeds.videos.count
      const reading = { html: keptTexts(maxCharacters, toSafeHtml), plain: keptTexts(maxCharacters, toPlainText) }
      const hidesNsfw = () => config.instance.default_nsfw_policy === "do_not_list"

      const entryOf = keptEntries(mostEntries, (row, details) => videoEntry(row, details, origin, reading))

      const idsOf = Effect.fnUntraced(function* (
        { search, ...query }: VideoListQuery,
        viewer: VideoViewer | undefined,
        scope: VideoScope | undefined
      ) {
        if (search === undefined) return yield* lists.ids(query, viewer, scope)
        const { data } = parse(yield* lists.list({ ...query, search }, viewer, scope)) as {
          readonly data: ReadonlyArray<{ readonly id: number }>
        }
        return data.map(({ id }) => id)
      })

      /** What a list shows, in full. */
      const entriesOf = Effect.fnUntraced(function* (
        query: VideoListQuery,
        viewer: VideoViewer | undefined,
        scope: VideoScope | undefined
      ) {
        // Feeds have what can be watched: a live comes when it begins.
        const asked = { ...query, start: 0, count, skipCount: true, includeScheduledLive: false }
        const ids = yield* idsOf(asked, viewer, scope)
        const known = entryOf.known(ids)
        const stamps = ids.map((id) => known.get(id)?.stamp ?? "")
        const rows = yield* videoRows.of(ids, !isManaged(query), stamps)
        return rows.map((row) => entryOf.made(row, known.get(row.id)))
      })

      const headOf = (entries: ReadonlyArray<VideoEntry>, found: FoundOwners, self: string | undefined) =>
        heads.of(
          found,
          self,
          entries.map(({ updatedAt }) => updatedAt)
        )

      const sourceOf = Effect.fnUntraced(function* (
        entries: ReadonlyArray<VideoEntry>,
        found: FoundOwners,
        self: string | undefined,
        format: FeedFormat
      ) {
        const head = yield* headOf(entries, found, self)
        const kind = feedKind(format)
        return {
          facts: digestOfEntries(head, entries),
          write: () => (kind === "rss" ? rssVideos(head, entries) : otherVideos(kind, head, entries))
        } satisfies FeedSource
      })

      const videos = Effect.fn("Feeds.videos")(function* (asked: VideosAsked) {
        const found = yield* heads.owners(asked.owners)
        const { account, channel } = found
        // Where both are named and the channel is somebody else's, no video is of both.
        if (account !== undefined && channel !== undefined && channel.row.accountId !== account.row.id) {
          return yield* sourceOf([], found, asked.self, asked.format)
        }
        const scope: VideoScope | undefined =
          channel !== undefined
            ? { _tag: "Channel", channelId: channel.row.id }
            : account && { _tag: "Account", accountId: account.row.id }
        return yield* sourceOf(yield* entriesOf(asked.query, asked.viewer, scope), found, asked.self, asked.format)
      })

      const subscriptions = Effect.fn("Feeds.subscriptions")(function* ({ format, query, viewer }: SubscriptionsAsked) {
        const entries = yield* entriesOf(query, viewer, { _tag: "Subscriptions", accountId: viewer.accountId })
        return yield* sourceOf(entries, {}, undefined, format)
      })

      const podcast = Effect.fn("Feeds.podcast")(function* (channelId: number, self: string) {
        const found = yield* heads.owners({ videoChannelId: channelId })
        const { wire } = found.channel!
        const query: VideoListQuery = { ...newest, count, ...(hidesNsfw() ? { nsfw: "false" } : {}) }
        const entries = yield* entriesOf(query, undefined, { _tag: "Channel", channelId })
        const head = yield* headOf(entries, found, self)
        const owner = wire.ownerAccount
        const show = {
          head,
          person: {
            name: owner?.displayName ?? wire.displayName,
            url: owner === undefined ? head.link : `${origin}/a/${heads.handleOf(owner)}/video-channels`,
            image: largest(owner?.avatars ?? [])
          },
          email: wire.publicEmail ?? undefined
        }
        return { facts: digestOfEntries(show, entries), write: () => podcastFeed(show, entries) } satisfies FeedSource
      })

      return Feeds.of({ videos, subscriptions, podcast })
    })
  )
}
