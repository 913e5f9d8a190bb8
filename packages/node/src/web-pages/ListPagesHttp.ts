import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { namesHtml } from "@kinora/federation/negotiation/Accept"
import { ClientAssets } from "./ClientAssets.ts"
import { listPage, pageSize } from "./ListPage.ts"
import { pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { searchOf, startOf } from "./PageQuery.ts"
import { PageVideos, type PageVideosQuery } from "./PageVideos.ts"
import { aboutPage } from "./PlainPages.ts"
import { searchPage, searchPath } from "./SearchPage.ts"

interface ListedVideos {
  readonly path: "/" | `/${string}`
  readonly title: string
  readonly query: Omit<PageVideosQuery, "start" | "count">
}

const lists: ReadonlyArray<ListedVideos> = [
  { path: "/videos/recently-added", title: "Latest videos", query: { sort: "-publishedAt" } },
  { path: "/videos/trending", title: "Trending", query: { sort: "-trending" } },
  { path: "/videos/local", title: "Local videos", query: { sort: "-publishedAt", isLocal: true } }
]

const noVideos: VideoList = { total: 0, data: [] }

const homeTitles: Readonly<Record<string, string>> = {
  "-publishedAt": "Latest videos",
  "-createdAt": "Latest videos",
  "-trending": "Trending",
  "-hot": "Hot videos",
  "-best": "Best videos",
  "-likes": "Most liked videos",
  "-views": "Most viewed videos"
}

/** The list of all videos, as the administrator wants it on the first page. */
const homeList = ({ local, sort }: PageInstance["Service"]["browse"]): ListedVideos => ({
  path: "/",
  title: homeTitles[sort] ?? "Videos",
  query: { sort, ...(local ? { isLocal: true } : {}) }
})

/** Paths that other clients use and that have no page here. */
const towardsHome = ["/videos/overview", "/videos/browse", "/videos/most-liked"] as const

/** Home, the other lists of videos, the about page. */
export const ListPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos

    const shown = Effect.fnUntraced(function* ({ path, query, title }: ListedVideos) {
      const start = startOf(yield* HttpServerRequest.ParsedSearchParams)
      const list = yield* videos.list({ ...query, start, count: pageSize })
      const now = yield* Clock.currentTimeMillis
      return pageResponse(surroundings, listPage(surroundings, { path, title, list, start, now }))
    })
    for (const listed of lists) yield* router.add("GET", listed.path, pageAnswer(surroundings, shown(listed)))
    const home = Effect.suspend(() => shown(homeList(surroundings.instance.browse)))
    yield* router.add("GET", "/", pageAnswer(surroundings, home))
    const search = Effect.gen(function* () {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const start = startOf(query)
      const text = searchOf(query)
      const list = text === "" ? noVideos : yield* videos.list({ search: text, sort: "-match", start, count: pageSize })
      const now = yield* Clock.currentTimeMillis
      return pageResponse(surroundings, searchPage(surroundings, { text, list, start, now }))
    })
    yield* router.add("GET", searchPath, pageAnswer(surroundings, search))
    for (const path of towardsHome) yield* router.add("GET", path, HttpServerResponse.redirect("/"))
    const about = () => Effect.sync(() => pageResponse(surroundings, aboutPage(surroundings)))
    yield* router.add("GET", "/about", about)
    yield* router.add("GET", "/about/instance", about)
  })
)

/** Below these paths, an unknown route gets a problem document, whatever the client accepts. */
const machinePaths =
  /^\/(?:api|static|lazy-static|download|feeds|client|tracker|plugins|themes|\.well-known|nodeinfo)(?:\/|$)/

/**
 * The last route, for every other path. A browser gets a page, other clients the problem document for an unknown route.
 */
export const NotFoundPageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    yield* router.add("GET", "/*", (request) => {
      const failure = Effect.fail(new RouteNotFound())
      return namesHtml(request.headers["accept"]) && !machinePaths.test(request.url)
        ? pageAnswer(surroundings, failure)
        : answer(failure)
    })
  })
)
