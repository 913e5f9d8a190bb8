import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { nothing } from "../platform/html/Html.ts"
import { filterCount, filteredAddress, filtersOf, narrowedBy } from "./BrowseFilters.ts"
import { pagedCards } from "./Cards.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { channelRows, playlistCards } from "./ListCards.ts"
import { pageSize } from "./ListPage.ts"
import type { Surroundings } from "./Layout.ts"
import { pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageLists } from "./PageLists.ts"
import { searchOf, startOf } from "./PageQuery.ts"
import { PageVideos } from "./PageVideos.ts"
import { searchAddress, type Searched, searchPage, searchPath } from "./SearchPage.ts"

/** `GET /search`: videos, channels or playlists (`type`) that a text finds, videos by filters as well. */
export const SearchPageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos
    const lists = yield* PageLists
    const ownHost = new URL(site.instance.origin).host

    const search = Effect.fnUntraced(function* (surroundings: Surroundings) {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const text = searchOf(query)
      const { sort: _sort, ...filters } = filtersOf(query)
      const kind: Searched = query["type"] === "channels" || query["type"] === "playlists" ? query["type"] : "videos"
      const isAsked = text !== "" || (kind === "videos" && filterCount(filters) > 0)
      if (!isAsked) return pageResponse(surroundings, searchPage(surroundings, undefined))
      const now = yield* Clock.currentTimeMillis
      const start = startOf(query)
      const part = { start, count: pageSize }
      const address = searchAddress(text, kind)
      const shown = { path: filteredAddress(address, filters), start, language: surroundings.language, ownHost, now }
      const { found, total } = yield* Effect.gen(function* () {
        switch (kind) {
          case "channels": {
            const list = yield* lists.channels(text, part)
            return { total: list.total, found: list.data.length === 0 ? nothing : channelRows(list, shown) }
          }
          case "playlists": {
            const list = yield* lists.playlists(text, part)
            return { total: list.total, found: list.data.length === 0 ? nothing : playlistCards(list, shown) }
          }
          case "videos": {
            const asked =
              text === "" ? ({ sort: "-publishedAt" } as const) : ({ sort: "-match", search: text } as const)
            const list = yield* videos.list({
              ...narrowedBy(filters, now),
              ...asked,
              ...part,
              includeScheduledLive: true
            })
            return { total: list.total, found: list.data.length === 0 ? nothing : pagedCards(list, shown) }
          }
        }
      })
      return pageResponse(surroundings, searchPage(surroundings, { text, kind, filters, start, total, found }))
    })
    yield* router.add("GET", searchPath, pageAnswer(site, search))
  })
)
