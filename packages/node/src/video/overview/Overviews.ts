import { overviewPages } from "@kinora/domain/api/OverviewsApi"
import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideosOverview } from "@kinora/domain/wire/VideosOverview"
import { type OverviewPicks, OverviewRows } from "@kinora/storage/video/search/OverviewRows"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import type { VideoScope, VideoViewer } from "@kinora/storage/video/read/VideoQuery"
import { Clock, Context, Duration, Effect, Layer } from "effect"

/** How long overviews show the same categories, channels and tags. */
const period = Duration.toMillis(Duration.hours(1))

/** Videos of each. */
const shown = 12

const categories = Object.keys(videoCategoryLabels).map(Number)

/**
 * Overviews of the instance's videos (contract: VideosOverview): each page has one category, one channel and one tag.
 */
export class Overviews extends Context.Service<
  Overviews,
  {
    /**
     * One page as JSON text, for this viewer. Entries without a video that the viewer may see are left out.
     *
     * @param list limits of the viewer's lists; its filters, page and order are ignored
     * @param page from 1
     */
    readonly page: (
      page: number,
      list: VideoListQuery,
      viewer?: VideoViewer
    ) => Effect.Effect<Json<VideosOverview>, DatabaseUnavailable>
  }
>()("@kinora/node/overviews/Overviews") {
  static readonly layer = Layer.effect(
    Overviews,
    Effect.gen(function* () {
      const rows = yield* OverviewRows
      const lists = yield* VideoLists
      let kept: { readonly seed: number; readonly picks: OverviewPicks } | undefined

      const picks = Effect.fnUntraced(function* () {
        const seed = Math.floor((yield* Clock.currentTimeMillis) / period)
        if (kept?.seed === seed) return kept.picks
        const made = yield* rows.pick(String(seed), categories, overviewPages)
        const isComplete = Object.values(made).every((some) => some.length === overviewPages)
        // A small instance changes often, and picking is cheap, so the choice is not cached.
        kept = isComplete ? { seed, picks: made } : undefined
        return made
      })

      const page = Effect.fn("Overviews.page")(function* (number: number, list: VideoListQuery, viewer?: VideoViewer) {
        const { categories: category, channels, tags } = yield* picks()

        const section = Effect.fnUntraced(function* <A>(
          picked: A | undefined,
          head: (picked: A) => string,
          filter: (picked: A) => Partial<VideoListQuery>,
          scope: (picked: A) => VideoScope | undefined = () => undefined
        ) {
          if (picked === undefined) return "[]"
          const query = {
            ...list,
            start: 0,
            count: shown,
            skipCount: true,
            sort: { by: "publishedAt", descending: true } as const,
            ...filter(picked)
          }
          const videos = (yield* lists.list(query, viewer, scope(picked))).slice(`{"data":`.length, -1)
          return videos === "[]" ? "[]" : `[{${head(picked)},"videos":${videos}}]`
        })

        const at = number - 1
        const ofCategory = yield* section(
          category[at],
          (id) => `"category":${JSON.stringify({ id, label: videoCategoryLabels[id] })}`,
          (id) => ({ categoryOneOf: [id] })
        )
        const ofChannel = yield* section(
          channels[at],
          ({ json }) => `"channel":${json}`,
          () => ({}),
          ({ id }) => ({ _tag: "Channel", channelId: id })
        )
        const ofTag = yield* section(
          tags[at],
          (tag) => `"tag":${JSON.stringify(tag)}`,
          (tag) => ({ tagsOneOf: [tag] })
        )
        return jsonOf<VideosOverview>(`{"categories":${ofCategory},"channels":${ofChannel},"tags":${ofTag}}`)
      })

      return Overviews.of({ page })
    })
  ).pipe(Layer.provide(OverviewRows.layer))
}
