import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { namesHtml } from "@kinora/federation/negotiation/Accept"
import { ClientAssets } from "./ClientAssets.ts"
import { browsePath } from "./BrowseBar.ts"
import { type BrowseFilters, browseOrders, filterPairs, filtersOf, narrowedBy } from "./BrowseFilters.ts"
import { browseTitle, orderTitle } from "./BrowseTitle.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import type { Surroundings } from "./Layout.ts"
import { listPage, pageSize } from "./ListPage.ts"
import { pageAnswer, pageResponse, plainAnswer } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { startOf } from "./PageQuery.ts"
import { PageVideos, type PageVideosQuery } from "./PageVideos.ts"
import { aboutPage, offlinePage } from "./PlainPages.ts"

interface ListedVideos {
  readonly path: "/" | `/${string}`
  readonly title: (language: PageLanguage) => string
  readonly query: Omit<PageVideosQuery, "start" | "count">
}

const lists: ReadonlyArray<ListedVideos> = [
  {
    path: "/videos/recently-added",
    title: (language) => orderTitle(language, "-publishedAt"),
    query: { sort: "-publishedAt" }
  },
  { path: "/videos/trending", title: (language) => orderTitle(language, "-trending"), query: { sort: "-trending" } },
  {
    path: "/videos/local",
    title: (language) => language.text("lists")("titleLocal"),
    query: { sort: "-publishedAt", isLocal: true }
  }
]

const orderOf = (sort: string): BrowseFilters["sort"] => browseOrders.find((it) => it === sort)

const homeTitle =
  (sort: string) =>
  (language: PageLanguage): string => {
    const order = sort === "-createdAt" ? "-publishedAt" : orderOf(sort)
    return order === undefined ? language.text("lists")("titleVideos") : orderTitle(language, order)
  }

/** The list of all videos, as the administrator wants it on the first page. */
const homeList = ({ local, sort }: PageInstance["Service"]["browse"]): ListedVideos => ({
  path: "/",
  title: homeTitle(sort),
  query: { sort, ...(local ? { isLocal: true } : {}) }
})

/** Paths that other clients use, and where their lists are here. */
const towards = {
  "/videos/overview": browsePath,
  "/videos/most-liked": `${browsePath}?sort=-likes`
} as const

/** The filters that are set. */
const defined = (filters: BrowseFilters): BrowseFilters => Object.fromEntries(filterPairs(filters))

/** Home, the other lists of videos, the about page. */
export const ListPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos

    const shown = Effect.fnUntraced(function* (surroundings: Surroundings, listed: ListedVideos) {
      const { path, query } = listed
      const title = listed.title(surroundings.language)
      const start = startOf(yield* HttpServerRequest.ParsedSearchParams)
      const list = yield* videos.list({ ...query, includeScheduledLive: true, start, count: pageSize })
      const now = yield* Clock.currentTimeMillis
      const filters: BrowseFilters = { sort: orderOf(query.sort), scope: query.isLocal === true ? "local" : undefined }
      return pageResponse(surroundings, listPage(surroundings, { path, title, list, start, now, filters }))
    })
    const browse = Effect.fnUntraced(function* (surroundings: Surroundings) {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const now = yield* Clock.currentTimeMillis
      const start = startOf(query)
      const filters: BrowseFilters = { sort: "-publishedAt", ...defined(filtersOf(query)) }
      const sort = filters.sort ?? "-publishedAt"
      const asked = { ...narrowedBy(filters, now), sort, includeScheduledLive: true }
      const list = yield* videos.list({ ...asked, start, count: pageSize })
      const title = browseTitle(surroundings.language, filters)
      return pageResponse(surroundings, listPage(surroundings, { path: browsePath, title, list, start, now, filters }))
    })
    yield* router.add("GET", browsePath, pageAnswer(site, browse))
    for (const listed of lists) {
      yield* router.add(
        "GET",
        listed.path,
        pageAnswer(site, (surroundings) => shown(surroundings, listed))
      )
    }
    const home = (surroundings: Surroundings) => shown(surroundings, homeList(site.instance.browse))
    yield* router.add("GET", "/", pageAnswer(site, home))
    for (const [path, there] of Object.entries(towards)) {
      yield* router.add("GET", path as keyof typeof towards, HttpServerResponse.redirect(there))
    }
    const about = plainAnswer(site, aboutPage)
    yield* router.add("GET", "/offline", plainAnswer(site, offlinePage))
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
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    yield* router.add("GET", "/*", (request) => {
      const failure = Effect.fail(new RouteNotFound())
      return namesHtml(request.headers["accept"]) && !machinePaths.test(request.url)
        ? pageAnswer(site, () => failure)
        : answer(failure)
    })
  })
)
