import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Clock, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { ActivityPubResponder } from "../federation/activitypub/ActivityPubResponder.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { embedSites, framedOnly } from "./EmbedSites.ts"
import { embedPage } from "./EmbedPage.ts"
import type { Surroundings } from "./Layout.ts"
import { negotiated, pageAnswer, pageResponse, words } from "./PageAnswer.ts"
import { PageActors } from "./PageActors.ts"
import { PageComments } from "./PageComments.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageVideos } from "./PageVideos.ts"
import { testEmbedPage } from "./PlainPages.ts"
import { VideoOrigins } from "./VideoOrigins.ts"
import { showing, standIn } from "./Visibility.ts"
import { privatePage, watchPage } from "./WatchPage.ts"

const othersCount = 12

/** Watch pages and embeds of videos (contract tag "HTML Pages"). */
export const VideoPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos
    const comments = yield* PageComments
    const actors = yield* PageActors
    const responder = yield* ActivityPubResponder
    const origins = yield* VideoOrigins
    const { origin } = site.instance

    const visible = Effect.fnUntraced(function* (text: string) {
      const id = parseVideoIdOrUuid(text)
      if (id === undefined) return yield* new VideoNotFound()
      const { details, facts } = yield* videos.byId(id)
      const shown = yield* showing(facts, id)
      // A visitor who tries row ids does not learn the UUID of a locked video: the browser code uses the id it was
      // given.
      const video = shown === "locked" && id._tag !== "Uuid" ? { ...details, uuid: text } : details
      return { video, shown }
    })

    const found = Effect.fn("Pages.watch")(function* (surroundings: Surroundings, id: string) {
      const { shown, video } = yield* visible(id)
      const list = yield* videos.list({ start: 0, count: othersCount + 1, sort: "-publishedAt" })
      const others = list.data.filter((it) => it.uuid !== video.uuid).slice(0, othersCount)
      const threads = standIn(surroundings.language, shown) === undefined ? yield* comments.first(video.id) : undefined
      const indexable = yield* actors.indexable([video.account.url, video.channel.url])
      const now = yield* Clock.currentTimeMillis
      const page = watchPage(surroundings, { video, shown, others, threads, indexable, now })
      return pageResponse(surroundings, page, { origins: yield* origins.of(video) })
    })

    const watch = (surroundings: Surroundings, id: string) =>
      Effect.catchTag(found(surroundings, id), "VideoNotFound", (error) =>
        Effect.succeed(
          pageResponse(surroundings, privatePage(surroundings, ...words(surroundings.language, error)), {
            status: error.status
          })
        )
      )

    const embed = Effect.fn("Pages.embed")(function* (surroundings: Surroundings, id: string) {
      const { shown, video } = yield* visible(id)
      const framedBy = yield* embedSites(videos, video, origin)
      const page = embedPage(surroundings, video, shown)
      return pageResponse(surroundings, page, {
        framed: true,
        framedBy,
        origins: yield* origins.of(video),
        ...framedOnly(framedBy)
      })
    })

    const testEmbed = Effect.fn("Pages.testEmbed")(function* (surroundings: Surroundings) {
      const newest = (yield* videos.list({ start: 0, count: 1, sort: "-publishedAt" })).data[0]
      const address = newest === undefined ? undefined : `/videos/embed/${newest.uuid}`
      return pageResponse(surroundings, testEmbedPage(surroundings, "video", address), { framed: true, frames: true })
    })

    const watchRoute = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      return yield* negotiated(
        (url) => responder.video(id, url),
        pageAnswer(site, (surroundings) => watch(surroundings, id))
      )
    })
    yield* router.add("GET", "/w/:id", watchRoute)
    yield* router.add("GET", "/videos/watch/:id", watchRoute)
    yield* router.add(
      "GET",
      "/videos/embed/:id",
      Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
        pageAnswer(site, (surroundings) => embed(surroundings, id), { framed: true })
      )
    )
    yield* router.add("GET", "/videos/test-embed", pageAnswer(site, testEmbed, { framed: true }))
  })
)
