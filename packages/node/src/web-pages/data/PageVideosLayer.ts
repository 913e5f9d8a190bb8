import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { VideoDetails, VideoList } from "@kinora/domain/wire/Video"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import type { VideoScope } from "@kinora/storage/video/read/VideoQuery"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Effect, Layer, Option, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { PageVideos, type PageVideosQuery } from "../PageVideos.ts"

/** JSON from the database, used as it is. The tests of the code that produces it check its shape. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const nothing: VideoList = { total: 0, data: [] }

/** `-views` of an address, as a column and its direction. */
const sortOf = (sort: PageVideosQuery["sort"]): VideoListQuery["sort"] => {
  const descending = sort.startsWith("-")
  return { by: (descending ? sort.slice(1) : sort) as VideoSortColumn, descending }
}

/** Videos for pages, from the same queries as the API's. */
export const PageVideosLayer = Layer.effect(
  PageVideos,
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const actors = yield* Actors
    const embeds = yield* EmbedRows
    const lists = yield* VideoLists
    const reads = yield* VideoReads

    const scopeOf = Effect.fnUntraced(function* (query: PageVideosQuery) {
      const text = query.channel ?? query.account
      const handle = text === undefined ? undefined : parseActorHandle(text)
      if (handle === undefined) return Option.none<VideoScope>()
      // Pages are made for anybody: what nobody here follows is for those who may look it up.
      const unfollowed = handle.host !== null && config.search.remote_uri.anonymous
      if (query.channel === undefined) {
        return Option.map(yield* actors.account(handle), ({ id }): VideoScope => ({
          _tag: "Account",
          accountId: id,
          unfollowed
        }))
      }
      return Option.map(yield* actors.channel(handle), ({ id }): VideoScope => ({
        _tag: "Channel",
        channelId: id,
        unfollowed
      }))
    })

    return PageVideos.of({
      embedPrivacy: Effect.fn("PageVideos.embedPrivacy")(function* (videoId) {
        return (yield* embeds.find(videoId)) ?? (yield* new VideoNotFound())
      }),
      byId: Effect.fn("PageVideos.byId")(function* (id) {
        const video = yield* reads.details(id)
        return { facts: video, details: parse(video.body) as VideoDetails }
      }),
      list: Effect.fn("PageVideos.list")(function* (query) {
        const scope = yield* scopeOf(query)
        if ((query.channel ?? query.account) !== undefined && Option.isNone(scope)) return nothing
        const { account: _account, channel: _channel, durationMax, durationMin, sort, startDate, ...filters } = query
        const asked: VideoListQuery = {
          ...filters,
          sort: sortOf(sort),
          skipCount: false,
          narrowing: { durationMin, durationMax, startDate },
          ...(config.instance.default_nsfw_policy === "do_not_list" ? { nsfw: "false" } : {})
        }
        return parse(yield* lists.list(asked, undefined, Option.getOrUndefined(scope))) as VideoList
      })
    })
  })
)
